import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { parseRecord, type SessionRecord } from '../../../extension/sessions/session-record.ts';
import { idOf, useAgent } from '../../support/agent.ts';
import { all, answer, message, testTool } from '../../support/conversation.ts';
import { call, finish, together, usage } from '../../support/gemini/script.ts';
import { assertGolden } from '../../support/golden.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { factsOf, msOf, type OtlpReceiver, spanTree, startOtlpReceiver } from '../../support/otlp-receiver.ts';
import { eventually } from '../../support/poll.ts';
import { startA2aSite } from '../../support/remote-agents/a2a-site.ts';
import { invoke, readTool, report, Subagents, writeTool } from '../../support/subagents.ts';
import { writeFiles } from '../../support/temp-workspace.ts';
import { forEvents, prints, settingsWith } from '../hooks/hook-builders.ts';

const failing = testTool('glob', 'search', async () => ({
  content: '',
  error: { type: 'search_path_not_found', message: 'There is none.' },
}));

describe('The telemetry of a conversation', () => {
  const agent = useAgent();
  const subagents = new Subagents(agent);
  let receiver: OtlpReceiver;
  beforeEach(async () => {
    receiver = await startOtlpReceiver();
  });
  afterEach(() => receiver.close());

  const open = (tools = [readTool, writeTool, failing]): AgentService =>
    subagents.open(tools, {
      telemetry: { endpoint: receiver.url },
      modelName: 'gemini-2.5-flash',
      prices: { 'gemini-2.5-flash': { input: 1, output: 10 } },
    });

  /** Says "Go", and answers every question with yes. Returns the records of the session. */
  async function go(service: AgentService): Promise<readonly SessionRecord[]> {
    const session = await service.createSession();
    session.subscribe((event) => {
      if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
    });
    await all(session, message('Go'));
    await service.dispose();
    const log = await readFile(join(agent.sessions, idOf(session), 'log.jsonl'), 'utf8');
    return log
      .trimEnd()
      .split('\n')
      .map((line) => parseRecord(line))
      .flatMap((parsed) => (parsed.kind === 'record' ? parsed.record : []));
  }

  it('is a tree: the run, its requests, parallel calls, a question, and the runs of a subagent and a remote agent', async () => {
    await subagents.define('smith', 'tools: [write_file]');
    const site = await startA2aSite((turn) => turn.begin().say('a', 'Sunny.').end());
    await subagents.define('far', 'kind: remote', `agent_card_url: ${site.cardUrl}`);
    const cost = usage({ promptTokenCount: 1000, candidatesTokenCount: 10, thoughtsTokenCount: 5 });
    subagents.script(
      'Go',
      [together(call('read_file'), call('glob'), call('read_file')), cost],
      [call('write_file'), cost],
      invoke('smith', 'Forge'),
      invoke('far', 'Look'),
      ['Thanks.', finish('MAX_TOKENS')],
    );
    subagents.script('Forge', call('write_file'), report('Forged.'));
    await go(open());
    await site.dispose();
    assertGolden(spanTree(receiver.spans), 'telemetry/span-tree.txt');
  });

  it('takes as long as the log says', async () => {
    agent.endpoint.reply(call('write_file'));
    agent.endpoint.reply('Done.');
    const records = await go(open());
    const at = (type: SessionRecord['type']): number =>
      Date.parse(records.find((each) => each.type === type)?.at ?? '');
    const named = (name: string) => receiver.spans.filter((span) => span.name.startsWith(name));
    const [run] = named('invoke_agent');
    const [tool] = named('execute_tool');
    assert.ok(run && tool);
    assert.deepEqual([msOf(run.startTimeUnixNano), msOf(run.endTimeUnixNano)], [at('sent'), at('run_ended')]);
    const finished = records.find((each) => each.type === 'tool_finished');
    const asking = records.find((each) => each.type === 'event');
    assert.deepEqual(
      [msOf(tool.startTimeUnixNano), msOf(tool.endTimeUnixNano)],
      [Date.parse(asking?.at ?? ''), Date.parse(finished?.at ?? '')],
    );
    const facts = factsOf(tool.attributes);
    assert.equal(facts['gantry.tool.body_ms'], finished?.duration);
    assert.equal(facts['gantry.tool.question_ms'], at('answered') - at('asked'));
    assert.equal(facts['gen_ai.tool.call.id'], finished?.call.id);
    const [first, second] = named('chat');
    assert.equal(msOf(first?.endTimeUnixNano ?? ''), msOf(tool.startTimeUnixNano));
    assert.ok(msOf(second?.startTimeUnixNano ?? '') >= msOf(tool.endTimeUnixNano));
  });

  it('has a span for each attempt to reach a model', async () => {
    const busy = {
      kind: 'http',
      status: 503,
      headers: {},
      body: '{"error":{"code":503,"status":"UNAVAILABLE"}}',
    } as const;
    agent.endpoint.reply(busy);
    agent.endpoint.reply(busy);
    agent.endpoint.reply('Here.');
    await go(open());
    const chats = receiver.spans.filter(({ name }) => name.startsWith('chat'));
    assert.deepEqual(
      chats
        .map(({ attributes }) => factsOf(attributes))
        .map((facts) => [facts['gantry.chat.attempt'], facts['gantry.chat.outcome'], facts['error.type']]),
      [
        [1, 'retried', '_OTHER'],
        [2, 'retried', '_OTHER'],
        [3, 'answered', undefined],
      ],
    );
    assert.ok(Number(factsOf(chats[2]?.attributes ?? [])['gantry.chat.wait_ms']) > 0);
  });

  it('says how a run failed', async () => {
    const denied = {
      kind: 'http',
      status: 403,
      headers: {},
      body: '{"error":{"code":403,"status":"PERMISSION_DENIED"}}',
    } as const;
    agent.endpoint.reply(denied);
    await go(open());
    assertGolden(spanTree(receiver.spans), 'telemetry/failed-run.txt');
  });

  it('has metrics of the GenAI conventions, and its own', async () => {
    agent.endpoint.reply(call('write_file'), usage({ promptTokenCount: 100, candidatesTokenCount: 7 }));
    agent.endpoint.reply('Done.', usage({ promptTokenCount: 200, candidatesTokenCount: 3 }));
    await go(open());
    const metric = (name: string) => receiver.metrics.find((each) => each.name === name);
    const sums = (name: string): Record<string, number> =>
      Object.fromEntries(
        (metric(name)?.histogram?.dataPoints ?? []).map(({ attributes, sum, count }) => {
          const facts = factsOf(attributes);
          const model = facts['gen_ai.response.model'] === undefined ? 'beside' : 'conversation';
          return [`${model} ${facts['gen_ai.token.type']} ${count}`, sum];
        }),
      );
    const used = sums('gen_ai.client.token.usage');
    assert.equal(used['conversation input 2'], 300);
    assert.equal(used['conversation output 2'], 10);
    const counted = metric('gantry.tool.calls')?.sum?.dataPoints.map(({ attributes, asDouble, asInt }) => [
      factsOf(attributes),
      Number(asInt ?? asDouble),
    ]);
    const facts = {
      'gen_ai.tool.name': 'write_file',
      'gantry.tool.kind': 'edit',
      'gantry.tool.state': 'success',
      'gantry.tool.decision': 'ask_user',
    };
    assert.deepEqual(counted, [[facts, 1]]);
    const names = receiver.metrics.map(({ name }) => name).sort();
    for (const name of [
      'gen_ai.client.operation.duration',
      'gantry.turns',
      'gantry.approval.wait',
      'gantry.context.use',
    ])
      assert.ok(names.includes(name), name);
  });

  it('has what the records do not tell: hooks, summaries, and the tier of the rule that decided', async () => {
    const home = subagents.home;
    await writeFiles(home, settingsWith(forEvents({ BeforeAgent: prints({}), BeforeTool: 'exit 1' })));
    agent.endpoint.reply(call('read_file'));
    agent.endpoint.reply('Read.');
    const service = subagents.open([readTool], {
      telemetry: { endpoint: receiver.url },
      modelName: 'gemini-2.5-flash',
      environment: {
        GOOGLE_GEMINI_BASE_URL: agent.endpoint.url,
        GEMINI_CLI_HOME: home,
        PATH: process.env['PATH'] ?? '',
      },
    });
    const session = await service.createSession();
    await all(session, message('Go'));
    // The summary, and the check of it.
    for (let each = 0; each < 2; each++) agent.endpoint.reply('<state_snapshot>Nothing much.</state_snapshot>');
    await all(session, { action: { type: 'compress', data: undefined } });
    await service.dispose();
    const facts = receiver.spans.map(({ name, attributes }) => ({ name, facts: factsOf(attributes) }));
    const hooks = facts.filter(({ name }) => name.startsWith('hook'));
    assert.deepEqual(
      hooks.map(({ name, facts: { 'gantry.hook.outcome': outcome, 'gantry.hook.count': count } }) => [
        name,
        outcome,
        count,
      ]),
      [
        ['hook BeforeAgent', 'go', 1],
        ['hook BeforeTool', 'failed', 1],
      ],
    );
    const [tool] = facts.filter(({ name }) => name.startsWith('execute_tool'));
    assert.equal(tool?.facts['gantry.tool.rule_tier'], 'default');
    const [compact] = facts.filter(({ name }) => name.startsWith('compact'));
    assert.equal(compact?.facts['gantry.compaction.trigger'], 'manual');
    assert.match(String(compact?.facts['gantry.compaction.status']), /^(COMPRESSED|INFLATED|EMPTY)$/);
  });

  it('has the starts of MCP servers, the writes of the log, and what the process uses', async () => {
    agent.endpoint.reply('Hello.');
    const service = subagents.open([readTool], {
      telemetry: { endpoint: receiver.url },
      mcpServers: { good: stdio('good', { trust: true }), bad: { command: 'gantry-is-not-there', trust: true } },
    });
    const session = await service.createSession();
    await all(session, message('Hi'));
    await eventually('both starts to end', () =>
      service.mcp.statuses.every(({ state }) => state.kind === 'ready' || state.kind === 'failed'),
    );
    await service.dispose();
    const points = (name: string) => {
      const { histogram, gauge, sum } = receiver.metrics.find((each) => each.name === name) ?? {};
      return [...(histogram?.dataPoints ?? []), ...(gauge?.dataPoints ?? []), ...(sum?.dataPoints ?? [])];
    };
    assert.deepEqual(
      points('gantry.mcp.start')
        .map(({ attributes }) => factsOf(attributes)['gantry.mcp.outcome'])
        .sort(),
      ['failed', 'ready'],
    );
    for (const name of [
      'gantry.log.append',
      'process.cpu.time',
      'process.memory.usage',
      'v8js.memory.heap.used',
      'nodejs.eventloop.delay.p99',
    ])
      assert.equal(points(name).length, 1, name);
  });

  it('begins anew with a session of an earlier process, and invents nothing', async () => {
    agent.endpoint.reply('First.');
    const before = subagents.open();
    const first = await before.createSession();
    await all(first, message('One'));
    await before.dispose();
    assert.equal(receiver.wire, '');

    agent.endpoint.reply('Second.');
    const service = open();
    const session = await service.resumeSession(idOf(first));
    await all(session, message('Two'));
    await service.dispose();
    assert.deepEqual(
      receiver.spans.map(({ name }) => name),
      ['chat gemini-2.5-flash', 'invoke_agent gantry'],
    );
  });

  it('tells that a run was cut off with its window', async () => {
    agent.endpoint.reply(call('write_file'));
    const service = open();
    const session = await service.createSession();
    const asked = new Promise<void>((resolve) => {
      session.subscribe((event) => {
        if (event.type === 'elicitation_request') resolve();
      });
    });
    void session.send(message('Go'));
    await asked;
    await service.dispose();
    const run = receiver.spans.find(({ name }) => name === 'invoke_agent gantry');
    assert.equal(factsOf(run?.attributes ?? [])['gantry.run.end_reason'], 'interrupted');
  });

  it('describes the process once, without its names', async () => {
    agent.endpoint.reply('Hello.');
    await go(open());
    const [resource] = receiver.resources;
    assert.deepEqual(Object.keys(resource ?? {}).sort(), [
      'gantry.machine.cores',
      'gantry.machine.memory_bytes',
      'host.arch',
      'os.type',
      'process.runtime.name',
      'process.runtime.version',
      'service.instance.id',
      'service.name',
      'service.version',
    ]);
  });
});

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import type { AgentService } from '../../../extension/runtime/agent-service.ts';
import { openQuestions, untilEvent, useAgent } from '../../support/agent.ts';
import { all, allowFirst, answer, drain, message, outline, until } from '../../support/conversation.ts';
import { call } from '../../support/gemini/script.ts';
import { type HttpMcpServer, startHttpMcp } from '../../support/mcp/http-server.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { eventually } from '../../support/poll.ts';
import { isRunning, untilEnded } from '../../support/running.ts';
import type { TestHostOptions } from '../../support/test-host.ts';

describe('MCP servers in a conversation', () => {
  const agent = useAgent();
  const open = (servers: unknown, options: TestHostOptions = {}): AgentService =>
    agent.open([], {
      mcpServers: servers,
      environment: { GOOGLE_GEMINI_BASE_URL: agent.endpoint.url, PATH: process.env['PATH'] ?? '' },
      ...options,
    });
  const offered = (request = -1): string[] =>
    (agent.endpoint.requests.filter((each) => !each.asksForTitle).at(request)?.toolNames ?? []).filter((name) =>
      name.includes('mcp'),
    );
  const results = (): string => JSON.stringify(agent.endpoint.requests.flatMap(({ toolResults }) => toolResults));
  const starts = (): Promise<string> => readFile(join(agent.workspace, 'starts'), 'utf8').catch(() => '');
  const counted = (manner = 'good', more = {}): unknown => stdio(manner, more, join(agent.workspace, 'starts'));
  let site: HttpMcpServer;
  before(async () => {
    site = await startHttpMcp();
  });
  after(() => site.dispose());
  /** The same server without a process of its own, where its process does not matter. */
  const near = (more = {}): unknown => ({ httpUrl: site.url, ...more });
  /** Servers that are there before the first message. */
  const ready = async (servers: unknown, options: TestHostOptions = {}): Promise<AgentService> => {
    const service = open(servers, options);
    await service.mcp.refresh();
    await Promise.all(service.mcp.servers.map(({ settled }) => settled));
    return service;
  };
  const say = async (session: AgentSession, ...calls: Parameters<typeof call>[]): Promise<void> => {
    for (const each of calls) agent.endpoint.reply(call(...each));
    agent.endpoint.reply('Done.');
    await all(session, message('Go'));
  };

  it('are offered, asked about and called, one process for all sessions', async () => {
    const service = await ready({ sample: counted() });
    const [first, second] = [await service.createSession(), await service.createSession()];
    for (const session of [first, second]) {
      agent.endpoint.reply(call('mcp_sample_count', {}));
      agent.endpoint.reply('Counted.');
      const run = drain(session.sendStream(message('Count')));
      await allowFirst(session);
      await run;
      assert.ok(outline(session.events).includes('tool_response mcp_sample_count ok'));
    }
    assert.ok(offered().includes('mcp_sample_echo'));
    assert.match(results(), /untrusted_context>\\n1\\n.*untrusted_context>\\n2\\n/s);
    assert.equal((await starts()).trim().split('\n').length, 1);
    const asked = first.events.find((event) => event.type === 'elicitation_request');
    assert.deepEqual(asked?._meta?.approval?.details, { type: 'mcp', server: 'sample', tool: 'count', args: '{}' });
    assert.deepEqual(
      asked?._meta?.approval?.grants.map(({ id }) => id),
      ['tool', 'server'],
    );
  });

  it('are started by the first message and not before, and end with the window', async () => {
    const service = open({ sample: counted() });
    const session = await service.createSession();
    assert.deepEqual([await starts(), service.mcp.servers], ['', []]);
    agent.endpoint.reply('ok');
    await all(session, message('Hi'));
    const pid = Number(await starts());
    assert.ok(isRunning(pid));
    await service.dispose();
    await untilEnded(pid);
  });

  it('run unasked when the user trusts them, and not while a plan is made', async () => {
    const service = await ready({ sample: near({ trust: true }) });
    const session = await service.createSession();
    await say(session, ['mcp_sample_echo', { text: 'hello there' }]);
    assert.match(results(), /hello there/);
    assert.deepEqual(openQuestions(session), []);
    const planning = await service.createSession({ approvalMode: 'plan' });
    await say(planning, ['mcp_sample_echo', { text: 'in plan' }]);
    assert.ok(outline(planning.events).includes('tool_response mcp_sample_echo error'));
    assert.doesNotMatch(results(), /untrusted_context>\\nin plan/);
  });

  it('are only read while a plan is made, and only after approval', async () => {
    const session = await (await ready({ sample: near() })).createSession({ approvalMode: 'plan' });
    agent.endpoint.reply(call('mcp_sample_count', {}));
    agent.endpoint.reply('Counted.');
    const run = drain(session.sendStream(message('Count')));
    await allowFirst(session);
    await run;
    assert.deepEqual(
      offered(0).filter((name) => name.startsWith('mcp_')),
      ['mcp_sample_count'],
    );
    assert.match(results(), /untrusted_context>\\n1/);
  });

  it('do not exist in Restricted Mode', async () => {
    const session = await open({ sample: counted() }, { trusted: false }).createSession();
    await say(session, ['mcp_sample_count', {}]);
    assert.deepEqual(offered(), []);
    assert.equal(await starts(), '');
    assert.match(results(), /There is no tool named/);
  });

  it('of a project do not start in Restricted Mode even after approval', async () => {
    await mkdir(join(agent.workspace, '.vscode'));
    await writeFile(join(agent.workspace, '.vscode/mcp.json'), JSON.stringify({ servers: { theirs: counted() } }));
    const trusted = open({});
    await trusted.mcp.refresh();
    const [theirs] = trusted.mcp.statuses;
    await trusted.mcp.accept([theirs?.definition.hash ?? '']);
    await Promise.all(trusted.mcp.servers.map(({ settled }) => settled));
    assert.equal(trusted.mcp.statuses[0]?.state.kind, 'ready');
    await trusted.dispose();
    const before = await starts();
    const session = await open({}, { trusted: false }).createSession();
    await say(session, ['mcp_theirs_count', {}]);
    assert.deepEqual([offered(), await starts()], [[], before]);
  });

  it('of a project require approval, and say so once', async () => {
    await mkdir(join(agent.workspace, '.gemini'));
    const settings = { mcpServers: { theirs: counted() } };
    await writeFile(join(agent.workspace, '.gemini/settings.json'), JSON.stringify(settings));
    const service = open({});
    const session = await service.createSession();
    const told: unknown[] = [];
    session.subscribe((event) => event.type === 'error' && told.push(event));
    for (const text of ['One', 'Two']) {
      agent.endpoint.reply('ok');
      await all(session, message(text));
    }
    assert.equal(told.length, 1);
    assert.match(JSON.stringify(told), /theirs.*requires approval/);
    assert.deepEqual([offered(), await starts()], [[], '']);
    await service.mcp.accept(service.mcp.statuses.map(({ definition }) => definition.hash));
    await Promise.all(service.mcp.servers.map(({ settled }) => settled));
    agent.endpoint.reply('ok');
    await all(session, message('Three'));
    assert.ok(offered().includes('mcp_theirs_echo'));
  });

  it('that fail, hang or die break no turn and no other server', async () => {
    const trust = { trust: true };
    const servers = {
      dies: stdio('good', trust),
      exits: stdio('exits', trust),
      hangs: stdio('hangs', trust),
      garbage: stdio('garbage', trust),
      good: counted('good', trust),
    };
    const service = open(servers);
    await service.mcp.refresh();
    await eventually('three servers', () => {
      return service.mcp.statuses.filter(({ state }) => state.kind === 'ready').length === 3;
    });
    const session = await service.createSession();
    await say(
      session,
      ['mcp_dies_die', {}],
      ['mcp_exits_count', {}],
      ['mcp_good_huge', { megabytes: 17 }],
      ['mcp_garbage_echo', { text: 'still here' }],
      ['mcp_good_count', {}],
    );
    assert.deepEqual(
      outline(session.events).filter((line) => line.startsWith('tool_response')),
      [
        'tool_response mcp_dies_die error',
        'tool_response mcp_exits_count error',
        'tool_response mcp_good_huge error',
        'tool_response mcp_garbage_echo ok',
        'tool_response mcp_good_count ok',
      ],
    );
    assert.match(results(), /larger than 16 MB/);
    assert.ok(outline(session.events).includes('agent_end completed'));
  });

  it('have their arguments checked before anybody is asked', async () => {
    const session = await (await ready({ sample: near() })).createSession();
    await say(session, ['mcp_sample_echo', { text: '' }]);
    assert.deepEqual(openQuestions(session), []);
    assert.match(results(), /The arguments of mcp_sample_echo are not valid/);
  });

  it('bring their changed tools into the next step', async () => {
    const service = await ready({ sample: near({ trust: true }) });
    const session = await service.createSession();
    await say(session, ['mcp_sample_swap', {}]);
    await eventually('the tool', () => service.mcp.tools().some(({ name }) => name === 'mcp_sample_added'));
    await say(session, ['mcp_sample_added', {}]);
    assert.match(results(), /I am new\./);
  });

  it('ask the user on the card of the call', async () => {
    const session = await (await ready({ sample: near({ trust: true }) })).createSession();
    agent.endpoint.reply(call('mcp_sample_ask', {}));
    agent.endpoint.reply('Thanks.');
    const run = drain(session.sendStream(message('Ask')));
    const asked = await untilEvent(session, (event) => event.type === 'elicitation_request');
    assert.ok(asked.type === 'elicitation_request');
    const { details, why } = asked._meta?.approval ?? {};
    assert.match(why ?? '', /is sent to the MCP server sample/);
    assert.ok(details?.type === 'ask_user');
    assert.deepEqual(
      details.questions.map(({ type, header }) => [type, header]),
      [
        ['choice', 'colour'],
        ['text', 'times'],
        ['yesno', 'sure'],
      ],
    );
    const answers = { 0: 'blue', 1: '3', 2: 'Yes' };
    await session.send({
      elicitations: [{ requestId: asked.requestId, action: 'accept', content: { decision: 'once', answers } }],
    });
    await run;
    assert.match(results(), /colour.*blue.*times.*3.*sure.*true/);
  });

  it('hear a no, and the run continues', async () => {
    const session = await (await ready({ sample: near({ trust: true }) })).createSession();
    agent.endpoint.reply(call('mcp_sample_ask', {}));
    agent.endpoint.reply('Fine.');
    const run = drain(session.sendStream(message('Ask')));
    const asked = await untilEvent(session, (event) => event.type === 'elicitation_request');
    await session.send(answer(asked.type === 'elicitation_request' ? asked.requestId : '', 'decline'));
    await run;
    assert.match(results(), /decline/);
    assert.ok(outline(session.events).includes('agent_end completed'));
  });

  it('have resources that can be listed and read, if they were listed', async () => {
    const session = await (await ready({ sample: near() })).createSession();
    await say(
      session,
      ['list_mcp_resources', {}],
      ['read_mcp_resource', { uri: 'note://readme' }],
      ['read_mcp_resource', { uri: 'file:///etc/passwd' }],
    );
    assert.match(results(), /sample: note:\/\/readme.*Read me\..*No MCP server lists/s);
  });

  it('still have what required approval when the window comes back', async () => {
    const service = await ready({ sample: counted() });
    const session = await service.createSession();
    agent.endpoint.reply(call('mcp_sample_echo', { text: 'after all' }));
    void all(session, message('Echo'));
    await until(session, 'elicitation_request');
    const id = session.events.flatMap((event) => (event.type === 'initialize' ? event.sessionId : []))[0] ?? '';
    await service.dispose();
    const again = await open({ sample: counted() }).resumeSession(id);
    agent.endpoint.reply('Done.');
    const [question = ''] = openQuestions(again);
    await again.send(answer(question, 'accept'));
    await until(again, 'agent_end completed');
    assert.match(results(), /after all/);
  });

  it('never delay a session that begins', async () => {
    const service = open({ slow: stdio('hangs') }, { alarm: (ms, ring) => alarmAt(ms, ring) });
    const waits: number[] = [];
    const alarmAt = (ms: number, ring: () => void): (() => void) => {
      waits.push(ms);
      // Only the wait for servers is over at once.
      const timer = setTimeout(ring, ms === 2000 ? 0 : ms).unref();
      return () => clearTimeout(timer);
    };
    const session = await service.createSession();
    for (const text of ['One', 'Two']) {
      agent.endpoint.reply('ok');
      await all(session, message(text));
    }
    assert.deepEqual(
      waits.filter((ms) => ms === 2000),
      [2000],
    );
  });
});

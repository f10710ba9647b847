import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { createReadFileTool } from '../../../extension/tools/files/read-file.ts';
import { all, drain, message, outline, testTool, until } from '../../support/conversation.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, finish, pause, thought, usage } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { type TestHost, testHost } from '../../support/test-host.ts';

describe('A conversation', () => {
  let endpoint: GeminiEndpoint;
  let workspace: TempWorkspace;
  let host: TestHost;

  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
    workspace = await createTempWorkspace({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' });
    host = testHost({ roots: [workspace.path], environment: { GOOGLE_GEMINI_BASE_URL: endpoint.url } });
  });
  afterEach(async () => {
    await workspace.dispose();
    await endpoint.dispose();
  });

  const open = (tools: readonly Tool[] = [createReadFileTool()]): Promise<AgentSession> =>
    new AgentService(host, () => tools).createSession();

  it('streams the answer in deltas, with usage and one end', async () => {
    const door = gate();
    endpoint.reply(thought('Hm.'), 'Hel', pause(door), 'lo', usage({ promptTokenCount: 12, candidatesTokenCount: 3 }));
    const session = await open();
    void until(session, 'agent: Hel').then(() => door.open());
    const seen = await all(session, message('Hi'));
    assert.deepEqual(outline(session.events), [
      'initialize',
      'user: Hi',
      'agent_start',
      'session_update gemini',
      'thought: Hm.',
      'agent: Hel',
      'agent: lo',
      'usage 12/3',
      'agent_end completed',
    ]);
    assert.equal(seen[0]?.type, 'agent_start');
    const [first, ...rest] = session.events;
    assert.equal(first?.id, `${first?.streamId}-0`);
    assert.deepEqual(
      rest.map((event) => event.id),
      rest.map((_event, index) => `${seen[0]?.streamId}-${index}`),
    );
  });

  it('returns the stream id before agent_start, with the user message already there', async () => {
    endpoint.reply('ok');
    const session = await open();
    const { streamId } = await session.send(message('Hi'));
    assert.deepEqual(outline(session.events), ['initialize', 'user: Hi']);
    await drain(session.stream({ streamId: streamId ?? '' }));
  });

  it('runs a tool through the scheduler and gives its result back', async () => {
    endpoint.reply(call('read_file', { file_path: 'a.txt' }));
    endpoint.reply('It says alpha.');
    const session = await open();
    await all(session, message('Read it'));
    assert.deepEqual(outline(session.events).slice(3), [
      'session_update gemini',
      'usage',
      'tool_request read_file a.txt',
      'tool_response read_file ok',
      'agent: It says alpha.',
      'usage',
      'agent_end completed',
    ]);
    assert.match(JSON.stringify(endpoint.requests[1]?.toolResults), /alpha/);
    assert.deepEqual(endpoint.requests[0]?.toolNames, ['read_file']);
  });

  it('sends the history along', async () => {
    endpoint.reply('one');
    endpoint.reply('two');
    const session = await open();
    await all(session, message('first'));
    await all(session, message('second'));
    assert.deepEqual(
      endpoint.requests[1]?.contents.map((content) => content.parts?.[0]?.text),
      ['first', 'one', 'second'],
    );
  });

  it('runs one thing at a time', async () => {
    const door = gate();
    endpoint.reply('Hel', pause(door), 'lo');
    const session = await open();
    const { streamId } = await session.send(message('one'));
    await door.reached;
    const retry = session.send({ action: { type: 'retry', data: undefined } });
    await assert.rejects(retry, (error) => ProblemError.is(error, 'bad-input'));
    door.open();
    await drain(session.stream({ streamId: streamId ?? '' }));
  });

  it('has nothing to retry before anything was said', async () => {
    const session = await open();
    const retry = session.send({ action: { type: 'retry', data: undefined } });
    await assert.rejects(retry, (error) => ProblemError.is(error, 'bad-input'));
    assert.deepEqual(session.events, []);
  });

  it('tells the model of an unknown tool, and of arguments that do not fit, and continues', async () => {
    endpoint.reply(call('rm_rf', {}), call('read_file', { path: 'a.txt' }), call('constructor', {}));
    endpoint.reply('Sorry.');
    const session = await open();
    await all(session, message('go'));
    const results = endpoint.requests[1]?.toolResults.map((result) => JSON.stringify(result.response)) ?? [];
    assert.equal(results.length, 3);
    assert.match(results[0] ?? '', /no tool named \\"rm_rf\\"/);
    assert.match(results[1] ?? '', /file_path/);
    assert.match(results[2] ?? '', /no tool named \\"constructor\\"/);
    assert.equal(outline(session.events).at(-1), 'agent_end completed');
  });

  it('ends with the reason the model gave', async () => {
    endpoint.reply('cut', finish('MAX_TOKENS'));
    const session = await open();
    await all(session, message('go'));
    assert.equal(outline(session.events).at(-1), 'agent_end max_budget');
  });

  it('stops at the turn limit with a history that can be sent', async () => {
    host = testHost({
      roots: [workspace.path],
      environment: { GOOGLE_GEMINI_BASE_URL: endpoint.url },
      maxTurns: 1,
    });
    endpoint.reply(call('read_file', { file_path: 'a.txt' }));
    endpoint.reply('more');
    const session = await open();
    await all(session, message('go'));
    assert.equal(outline(session.events).at(-1), 'agent_end max_turns');
    await all(session, message('go on'));
    assert.equal(outline(session.events).at(-1), 'agent_end completed');
  });

  it('refuses a 5 MB message, and takes the next one', async () => {
    const session = await open();
    const huge = message('x'.repeat(5_000_000));
    await assert.rejects(session.send(huge), (error) => ProblemError.is(error, 'message-too-large'));
    endpoint.reply('ok');
    await all(session, message('small'));
    assert.equal(outline(session.events).at(-1), 'agent_end completed');
  });

  it('ends a run that fails inside Gantry with a message, and takes the next one', async () => {
    let broken = false;
    const breaking = testTool('look', 'read', async () => {
      broken = true;
      return { content: 'seen' };
    });
    const { workspace: ports } = host;
    host = {
      ...host,
      workspace: {
        ...ports,
        roots: () => {
          if (broken) throw new Error('a broken port');
          return ports.roots();
        },
      },
    };
    endpoint.reply(call('look', {}));
    const session = await open([breaking]);
    const failed = await all(session, message('go'));
    assert.deepEqual(outline(failed).slice(-2), ['error', 'agent_end failed']);
    broken = false;
    endpoint.reply('Back again.');
    assert.equal(outline(await all(session, message('still there?'))).at(-1), 'agent_end completed');
  });

  it('runs reads side by side', async () => {
    const bothRunning = gate();
    let running = 0;
    const waiting: Tool = testTool('look', 'read', async (_args, { signal }) => {
      running++;
      if (running === 2) bothRunning.open();
      await bothRunning.pass(signal);
      return { content: 'seen' };
    });
    endpoint.reply(call('look', {}), call('look', {}));
    endpoint.reply('done');
    const session = await open([waiting]);
    await all(session, message('go'));
    assert.equal(running, 2);
  });

  it('refuses a changing tool in a folder that is not trusted, even if the model knows its name', async () => {
    let ran = false;
    const write = testTool('write', 'edit', async () => {
      ran = true;
      return { content: 'written' };
    });
    host.trusted = false;
    endpoint.reply(call('write', {}));
    endpoint.reply('ok');
    const session = await open([createReadFileTool(), write]);
    await all(session, message('go'));
    assert.deepEqual(endpoint.requests[0]?.toolNames, ['read_file']);
    assert.equal(ran, false);
    assert.match(JSON.stringify(endpoint.requests[1]?.toolResults), /not trusted/);
  });
});

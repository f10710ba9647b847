import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Tool } from '../../../extension/ports/tool.ts';
import type { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { AgentService } from '../../../extension/runtime/agent-service.ts';
import { unansweredCalls } from '../../support/agent.ts';
import { allowFirst, answer, drain, message, outline, testTool, until } from '../../support/conversation.ts';
import { type Gate, gate } from '../../support/gemini/gate.ts';
import { call, hold, type Piece, pause, thought } from '../../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../../support/gemini/server.ts';
import { noticedTimeOf } from '../../support/noticed-time.ts';
import { testHost } from '../../support/test-host.ts';

interface Phase {
  readonly name: string;
  /** The replies before the stop; each run stops when `door` has been reached. */
  readonly replies: (door: Gate) => Piece[][];
  /** An event the user has seen when they press Stop. */
  readonly seen?: string;
  /** Whether the user allows the first call that asks. */
  readonly allow?: boolean;
  /** What the next request says of the stopped turn, besides the two user messages. */
  readonly kept: RegExp;
}

const PHASES: readonly Phase[] = [
  { name: 'before the first byte', replies: (door) => [[hold(door), 'never']], kept: /^$/ },
  { name: 'after the headers', replies: (door) => [[pause(door), 'never']], kept: /^$/ },
  { name: 'while it thinks', replies: (door) => [[thought('Hm'), pause(door), 'never']], kept: /^$/ },
  {
    name: 'in the middle of the answer',
    replies: (door) => [['Half an ', pause(door), 'answer']],
    seen: 'agent: Half an ',
    kept: /Half an /,
  },
  {
    name: 'in the answer after a tool',
    replies: (door) => [[call('quick', {})], ['Now ', pause(door), 'never']],
    seen: 'agent: Now ',
    kept: /quick.*done at once.*Now /,
  },
  {
    name: 'while tools run',
    replies: () => [[call('quick', {}), call('slow', {}), call('slow', {})]],
    kept: /done at once.*Cancelled.*Cancelled/,
  },
  {
    name: 'while a changing tool runs and another waits for it',
    replies: () => [['I will write. ', call('change', {}), call('change', {})]],
    allow: true,
    kept: /I will write.*Cancelled.*Cancelled/,
  },
];

describe('Stop', () => {
  let endpoint: GeminiEndpoint;
  // Times are measured below, and the first stack trace of a process waits for its source map.
  before(() => new Error('warm').stack);
  beforeEach(async () => {
    endpoint = await startGeminiEndpoint();
  });
  afterEach(() => endpoint.dispose());

  for (const phase of PHASES) {
    it(`${phase.name} ends the run once and leaves a history the API accepts`, async () => {
      const door = gate();
      const session = await openSession(endpoint, door);
      for (const reply of phase.replies(door)) endpoint.reply(...reply);
      const { streamId } = await session.send(message('first'));
      const run = drain(session.stream({ streamId: streamId ?? '' }));
      if (phase.allow) await allowFirst(session);
      await door.reached;
      if (phase.seen) await until(session, phase.seen);
      assert.ok((await noticedTimeOf(() => session.abort())) < 250);
      assert.equal(outline(await run).at(-1), 'agent_end aborted');
      assert.deepEqual(unansweredCalls(session.events), []);

      endpoint.reply('second answer');
      const next = await drain(session.sendStream(message('second')));
      assert.equal(outline(next).at(-1), 'agent_end completed');
      const ends = session.events.filter((event) => event.type === 'agent_end');
      assert.equal(ends.length, 2);
      const sent = endpoint.requests.at(-1)?.contents ?? [];
      const texts = sent.map((content) => JSON.stringify(content));
      assert.match(texts[0] ?? '', /first/);
      assert.match(texts.at(-1) ?? '', /second/);
      assert.match(texts.slice(1, -1).join(' '), phase.kept);
    });
  }

  for (const moment of ['tool_request', 'elicitation_request', 'elicitation_response', 'usage'] as const) {
    it(`at the very moment of a ${moment} answers every call, once`, async () => {
      const session = await openSession(endpoint, gate());
      endpoint.reply(call('quick', {}), call('change', {}), call('none_such', {}), call('change', {}));
      let stopping: Promise<void> | undefined;
      session.subscribe((event) => {
        if (event.type === moment) stopping ??= session.abort();
        else if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
      });
      const run = await drain(session.sendStream(message('first')));
      assert.ok((await noticedTimeOf(async () => stopping)) < 250);
      assert.equal(outline(run).at(-1), 'agent_end aborted');
      assert.deepEqual(unansweredCalls(session.events), []);
      const answers = session.events.flatMap((event) => (event.type === 'tool_response' ? event.requestId : []));
      assert.equal(new Set(answers).size, answers.length);
      endpoint.reply('second answer');
      assert.equal(outline(await drain(session.sendStream(message('second')))).at(-1), 'agent_end completed');
    });
  }

  it('while an allowed change waits for another answers both', async () => {
    const door = gate();
    const session = await openSession(endpoint, door);
    endpoint.reply(call('change', {}), call('change', {}));
    session.subscribe((event) => {
      if (event.type === 'elicitation_request') void session.send(answer(event.requestId, 'accept'));
    });
    const run = drain(session.sendStream(message('first')));
    await door.reached;
    assert.ok((await noticedTimeOf(() => session.abort())) < 250);
    await run;
    assert.deepEqual(unansweredCalls(session.events), []);
  });

  it('while an approval waits answers the call, and nothing runs', async () => {
    const door = gate();
    let started = false;
    void door.reached.then(() => {
      started = true;
    });
    const session = await openSession(endpoint, door);
    endpoint.reply(call('change', {}), call('change', {}));
    const { streamId } = await session.send(message('first'));
    const run = drain(session.stream({ streamId: streamId ?? '' }));
    await until(session, 'elicitation_request');
    assert.ok((await noticedTimeOf(() => session.abort())) < 250);
    const seen = outline(await run);
    assert.equal(
      seen.filter((line) => line === 'elicitation_request').length,
      seen.filter((line) => line === 'elicitation_response cancel').length,
    );
    assert.deepEqual(seen.slice(-2), ['tool_response change error', 'agent_end aborted']);
    assert.equal(seen.filter((line) => line === 'tool_response change error').length, 2);
    assert.equal(started, false);
  });

  it('before the run has begun keeps the words', async () => {
    const session = await openSession(endpoint, gate());
    const { streamId } = await session.send(message('first'));
    const run = drain(session.stream({ streamId: streamId ?? '' }));
    await session.abort();
    assert.deepEqual(outline(await run), ['agent_start', 'agent_end aborted']);
    endpoint.reply('ok');
    await drain(session.sendStream(message('second')));
    assert.match(JSON.stringify(endpoint.requests[0]?.contents), /first.*second/);
  });

  it('closes the connection to the model', async () => {
    const door = gate();
    endpoint.reply('Hel', pause(door), 'lo');
    const session = await openSession(endpoint, door);
    await session.send(message('go'));
    await door.reached;
    await session.abort();
    assert.equal(await endpoint.requests[0]?.closed, 'disconnected');
  });

  it('while the key is looked up does not wait for it', async () => {
    const door = gate();
    const apiKey = async (): Promise<undefined> => {
      await door.pass(new AbortController().signal);
      return undefined;
    };
    const session = await new AgentService({ ...testHost(), secrets: { apiKey } }).createSession();
    await session.send(message('go'));
    await door.reached;
    await session.abort();
    assert.equal(outline(session.events).at(-1), 'agent_end aborted');
    door.open();
  });

  it('with nothing running does nothing', async () => {
    const session = await openSession(endpoint, gate());
    await session.abort();
    assert.deepEqual(session.events, []);
  });
});

function openSession(endpoint: GeminiEndpoint, door: Gate): Promise<AgentSession> {
  const host = testHost({ environment: { GOOGLE_GEMINI_BASE_URL: endpoint.url } });
  // A body that ignores the signal: Stop must not wait for it.
  const never: Tool['execute'] = async () => {
    void door.pass(new AbortController().signal);
    return new Promise(() => undefined);
  };
  const tools = [
    testTool('quick', 'read', () => Promise.resolve({ content: 'done at once' })),
    testTool('slow', 'read', never),
    testTool('change', 'edit', never),
  ];
  return new AgentService(host, () => tools).createSession();
}

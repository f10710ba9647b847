import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { listenForInterrupts } from '../../../extension/headless/interrupts.ts';
import { refusalEvent, thrownProblem } from '../../../extension/headless/problem-of.ts';
import { converse } from '../../../extension/headless/run.ts';
import type { AgentEvent } from '../../../extension/protocol/agent/agent-event.ts';
import type { AgentProtocol } from '../../../extension/protocol/agent/agent-protocol.ts';
import { AgentSession } from '../../../extension/protocol/agent/agent-session.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { message } from '../../support/conversation.ts';
import { asked, ended, said, stamped, unreachable } from './events.ts';

/** Has introduced itself before anyone listens, then answers until it is aborted. */
class FakeProtocol implements AgentProtocol {
  readonly id = 'abc';
  readonly events: AgentEvent[] = [];
  aborts = 0;
  private readonly listeners = new Set<(event: AgentEvent) => void>();

  constructor(
    private readonly script: readonly AgentEvent[],
    private readonly refusal?: Error,
  ) {
    this.emit(script[0]);
  }

  async send(): Promise<{ readonly streamId: string }> {
    if (this.refusal) throw this.refusal;
    setImmediate(() => {
      for (const event of this.script.slice(1)) this.emit(event);
    });
    return { streamId: 's' };
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async abort(): Promise<void> {
    this.aborts++;
  }

  get isWatched(): boolean {
    return this.listeners.size > 0;
  }

  private emit(event: AgentEvent | undefined): void {
    if (!event) return;
    this.events.push(event);
    for (const listener of this.listeners) listener(event);
  }
}

const script = stamped(
  { type: 'initialize', version: 1, sessionId: 'abc', workspace: '/w', agentId: 'gantry' },
  asked('Hi'),
  { type: 'agent_start' },
  said('Hello'),
  ended(),
);

function start(protocol: FakeProtocol, stop = new AbortController().signal) {
  const seen: AgentEvent[] = [];
  const done = converse({
    session: new AgentSession(protocol),
    payload: message('Hi'),
    stop,
    onEvent: (event) => seen.push(event),
    onStopFailed: (error) => assert.fail(String(error)),
  });
  return { seen, done };
}

describe('headless conversation', () => {
  it('shows every event once, those before the start included', async () => {
    const protocol = new FakeProtocol(script);
    const { seen, done } = start(protocol);
    await done;
    assert.deepEqual(seen, script);
    assert.equal(protocol.isWatched, false);
  });

  it('of a resumed session shows who it is and what is new', async () => {
    const protocol = new FakeProtocol(script);
    const past = stamped(asked('Before'), { type: 'agent_start' }, said('Answered'), ended());
    protocol.events.push(...past.map((event) => ({ ...event, streamId: 'past', id: `past-${event.id}` })));
    const { seen, done } = start(protocol);
    await done;
    assert.deepEqual(seen, script);
  });

  it('is aborted by the stop signal', async () => {
    const protocol = new FakeProtocol(script);
    const stop = new AbortController();
    const { done } = start(protocol, stop.signal);
    stop.abort();
    assert.ok(protocol.aborts > 0);
    await done;
  });

  it('rejects when the session refuses the message, and listens no longer', async () => {
    const protocol = new FakeProtocol(script, new ProblemError(unreachable));
    await assert.rejects(start(protocol).done, { problem: unreachable });
    assert.equal(protocol.isWatched, false);
  });
});

describe('headless problems', () => {
  it('are recognised across bundles, where the class is another one', () => {
    const foreign = Object.assign(new Error('text'), { name: 'ProblemError', problem: unreachable });
    assert.equal(thrownProblem(foreign), unreachable);
    assert.equal(thrownProblem(new ProblemError(unreachable)), unreachable);
  });

  it('are internal for anything else', () => {
    assert.deepEqual(thrownProblem(new Error('boom')).kind, 'internal');
    assert.deepEqual(thrownProblem('boom').detail, 'boom');
  });

  it('are told as an error event', () => {
    const event = refusalEvent({ ...unreachable, kind: 'message-too-large' }, new Date(0));
    assert.deepEqual(
      [event.type, event.status, event.fatal, event.message],
      ['error', 'INVALID_ARGUMENT', true, 'The endpoint did not answer. Check the address.'],
    );
  });
});

describe('headless interrupts', () => {
  const cases: readonly [first: string, second: string, exits: readonly number[]][] = [
    ['SIGINT', 'SIGINT', [130]],
    ['SIGTERM', 'SIGTERM', [130]],
    ['SIGHUP', 'SIGINT', [130]],
    // A terminal that closes sends it twice.
    ['SIGHUP', 'SIGHUP', []],
  ];
  for (const [first, second, exits] of cases) {
    it(`ask with ${first}, and ${exits.length > 0 ? 'insist' : 'do not insist'} with ${second} after it`, () => {
      const listeners = new Map<string, () => void>();
      const exited: number[] = [];
      const signal = listenForInterrupts({
        on: (name, listener) => listeners.set(name, listener),
        exit: (code) => exited.push(code),
      });
      listeners.get(first)?.();
      assert.deepEqual([signal.aborted, exited], [true, []]);
      listeners.get(second)?.();
      assert.deepEqual(exited, exits);
    });
  }
});

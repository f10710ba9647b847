import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { AgentEvent, AgentEventBody } from '../../../extension/protocol/agent-event.ts';
import type { AgentProtocol, AgentSend } from '../../../extension/protocol/agent-protocol.ts';
import { AgentSession } from '../../../extension/protocol/agent-session.ts';
import { textPart } from '../../../extension/protocol/content-part.ts';

const HELLO: AgentSend = { message: { content: [textPart('hello')] } };
const START: AgentEventBody = { type: 'agent_start' };
const END: AgentEventBody = { type: 'agent_end', reason: 'completed' };

describe('AgentSession', () => {
  it('streams agent_start to agent_end and leaves out the user message', async () => {
    const session = new AgentSession(new ScriptedProtocol([[START, said('hi'), END]]));
    const seen = await collect(session.sendStream(HELLO));
    assert.deepEqual(types(seen), ['agent_start', 'message', 'agent_end']);
    assert.equal(new Set(seen.map((event) => event.streamId)).size, 1);
    assert.deepEqual(types(session.events), ['message', 'agent_start', 'message', 'agent_end']);
  });

  it('yields nothing when a send starts no stream', async () => {
    const session = new AgentSession(new ScriptedProtocol([]));
    assert.deepEqual(await collect(session.sendStream({ update: { title: 'x' } })), []);
  });

  it('resumes strictly after an event', async () => {
    const session = await finishedSession([START, said('a'), said('b'), END]);
    const second = session.events[2];
    assert.deepEqual(await collect(session.stream({ eventId: second?.id ?? '' })), session.events.slice(3));
  });

  it('resumes from the start when the cursor is the user message before it', async () => {
    const session = await finishedSession([START, said('a'), END]);
    const seen = await collect(session.stream({ eventId: session.events[0]?.id ?? '' }));
    assert.deepEqual(types(seen), ['agent_start', 'message', 'agent_end']);
  });

  it('is over at once after agent_end', async () => {
    const session = await finishedSession([START, END]);
    assert.deepEqual(await collect(session.stream({ eventId: session.events.at(-1)?.id ?? '' })), []);
  });

  it('names an event id it does not know', async () => {
    const session = await finishedSession([START, END]);
    await assert.rejects(collect(session.stream({ eventId: 'nope' })), /nope/);
  });

  it('rejects a cursor in a stream that never started, naming both', async () => {
    const session = await finishedSession([]);
    const id = session.events[0]?.id ?? '';
    await assert.rejects(collect(session.stream({ eventId: id })), new RegExp(`${id}.*s1`));
  });

  it('keeps to its stream when a newer one exists', async () => {
    const session = await finishedSession([START, said('a'), END], [START, said('b'), END]);
    const seen = await collect(session.stream({ streamId: 's1' }));
    assert.deepEqual(new Set(seen.map((event) => event.streamId)), new Set(['s1']));
    assert.equal(seen.length, 3);
  });

  it('replays an open stream, then goes on with what comes', async () => {
    const protocol = new ScriptedProtocol([[START, said('a')]]);
    const session = new AgentSession(protocol);
    await session.send(HELLO);
    await protocol.idle();
    const stream = session.stream();
    assert.equal((await stream.next()).value?.type, 'agent_start');
    protocol.emit('s1', END);
    const rest = await collect(stream);
    assert.deepEqual(types(rest), ['message', 'agent_end']);
  });

  it('stops listening when the reader leaves early', async () => {
    const protocol = new ScriptedProtocol([[START, said('a')]]);
    for await (const _ of new AgentSession(protocol).sendStream(HELLO)) break;
    assert.equal(protocol.listeners.size, 0);
  });
});

async function finishedSession(...streams: AgentEventBody[][]): Promise<AgentSession> {
  const protocol = new ScriptedProtocol(streams);
  const session = new AgentSession(protocol);
  for (const _ of streams) {
    await session.send(HELLO);
    await protocol.idle();
  }
  return session;
}

function said(text: string): AgentEventBody {
  return { type: 'message', role: 'agent', content: [textPart(text)] };
}

function types(events: readonly AgentEvent[]): string[] {
  return events.map((event) => event.type);
}

async function collect(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The plainest protocol: each send plays the next list of events. */
class ScriptedProtocol implements AgentProtocol {
  readonly events: AgentEvent[] = [];
  readonly listeners = new Set<(event: AgentEvent) => void>();
  private streams = 0;
  private playing = Promise.resolve();

  constructor(private readonly script: AgentEventBody[][]) {}

  async send(payload: AgentSend): Promise<{ streamId: string | null }> {
    const events = this.script.shift();
    if (!events || !('message' in payload)) return { streamId: null };
    const streamId = `s${++this.streams}`;
    this.emit(streamId, { type: 'message', role: 'user', content: payload.message.content });
    this.playing = new Promise((resolve) =>
      setImmediate(() => {
        for (const event of events) this.emit(streamId, event);
        resolve();
      }),
    );
    return { streamId };
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async abort(): Promise<void> {}

  idle(): Promise<void> {
    return this.playing;
  }

  emit(streamId: string, body: AgentEventBody): void {
    const event = { id: `${streamId}-${this.events.length}`, streamId, timestamp: new Date(0).toISOString(), ...body };
    this.events.push(event as AgentEvent);
    for (const listener of this.listeners) listener(event as AgentEvent);
  }
}

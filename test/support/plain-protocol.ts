import type { AgentEndReason, AgentEvent, AgentEventBody } from '../../extension/protocol/agent/agent-event.ts';
import type { AgentProtocol, AgentSend, Unsubscribe } from '../../extension/protocol/agent/agent-protocol.ts';

interface Reply {
  readonly events: readonly AgentEventBody[];
  /** True if the stream stays open until a test ends it. */
  readonly open: boolean;
}

/**
 * A conversation partner with scripted replies that implements only the contract: each message, update or answer uses
 * the next reply, and without one, nothing is started.
 */
export class PlainProtocol implements AgentProtocol {
  readonly id = 'plain';
  readonly listeners = new Set<(event: AgentEvent) => void>();
  private readonly replies: Reply[] = [];
  private readonly kept: AgentEvent[] = [];
  private readonly counts = new Map<string, number>();
  private streams = 0;
  private openStream: string | undefined;
  private playing: Promise<void> = Promise.resolve();

  get events(): readonly AgentEvent[] {
    return this.kept;
  }

  /** Scripts the next stream, with these events between its start and its end. */
  reply(...events: readonly AgentEventBody[]): void {
    this.replies.push({ events, open: false });
  }

  /** Scripts the next stream, which stays open for `push` and `end`. */
  replyOpen(...events: readonly AgentEventBody[]): void {
    this.replies.push({ events, open: true });
  }

  push(...events: readonly AgentEventBody[]): void {
    for (const event of events) this.emit(this.openStream ?? '', event);
  }

  end(reason: AgentEndReason): void {
    const streamId = this.openStream;
    this.openStream = undefined;
    if (streamId !== undefined) this.emit(streamId, { type: 'agent_end', reason });
  }

  /** Resolves when everything that was requested has been played. */
  idle(): Promise<void> {
    return this.playing;
  }

  async send(payload: AgentSend): Promise<{ readonly streamId: string | null }> {
    const kinds = ['message', 'elicitations', 'update', 'action'].filter((kind) => kind in payload);
    if (kinds.length !== 1) throw new Error('Exactly one of message, elicitations, update, action can be sent.');
    if ('action' in payload) throw new Error(`There is no action "${payload.action.type}".`);
    const running = this.openStream;
    const reply = running === undefined ? this.replies.shift() : undefined;
    const streamId = running ?? `plain-${++this.streams}`;
    for (const body of cause(payload)) this.emit(streamId, body);
    if (running !== undefined) return { streamId: running };
    if (!reply) return { streamId: null };
    this.openStream = streamId;
    this.playing = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.play(streamId, reply));
    return { streamId };
  }

  subscribe(listener: (event: AgentEvent) => void): Unsubscribe {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async abort(): Promise<void> {
    await this.playing;
    this.end('aborted');
  }

  private play(streamId: string, { events, open }: Reply): void {
    this.emit(streamId, { type: 'agent_start' });
    for (const event of events) this.emit(streamId, event);
    if (!open) this.end('completed');
  }

  private emit(streamId: string, body: AgentEventBody): void {
    const count = this.counts.get(streamId) ?? 0;
    this.counts.set(streamId, count + 1);
    const event = { id: `${streamId}-${count}`, streamId, timestamp: new Date().toISOString(), ...body } as AgentEvent;
    this.kept.push(event);
    for (const listener of [...this.listeners]) listener(event);
  }
}

function cause(payload: AgentSend): AgentEventBody[] {
  if ('message' in payload) return [{ type: 'message', role: 'user', content: payload.message.content }];
  if ('update' in payload) return [{ type: 'session_update', ...payload.update }];
  if ('elicitations' in payload) {
    return payload.elicitations.map((answer) => ({ type: 'elicitation_response', ...answer }));
  }
  return [];
}

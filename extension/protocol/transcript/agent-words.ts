import type { AgentEvent } from '../agent/agent-event.ts';
import type { TranscriptEntries } from './transcript-entries.ts';
import type { Entry, TranscriptChange } from './transcript-entry.ts';

type AnswerState = Extract<Entry, { kind: 'answer' }>['state'];

/** The agent's text and thoughts in one run. New parts are appended to the open entry until another kind arrives. */
export class AgentWords {
  private answerId: string | undefined;
  private thinking: { readonly id: string; readonly since: number } | undefined;
  /** The ids of all its text and thinking entries, in order. */
  private readonly ids: string[] = [];

  constructor(private readonly entries: TranscriptEntries) {}

  take(event: Extract<AgentEvent, { type: 'message' }>, at: number): TranscriptChange[] {
    return event.content.flatMap((part) => {
      if (part.type === 'thought') return this.think(event.id, part.thought, at);
      if (part.type === 'text') return this.say(event.id, part.text, at);
      return [];
    });
  }

  close(at: number, state: AnswerState): TranscriptChange[] {
    const changes = this.closeThinking(at);
    const answer = this.entries.get(this.answerId);
    this.answerId = undefined;
    if (answer?.kind === 'answer') changes.push(this.entries.put({ ...answer, state }));
    return changes;
  }

  /** The answer is requested again: removes the text and thoughts from this event on. */
  retract(from: string): TranscriptChange[] {
    const at = this.ids.indexOf(from);
    this.answerId = undefined;
    this.thinking = undefined;
    return at < 0 ? [] : this.entries.remove(this.ids.splice(at).flatMap((id) => this.entries.get(id) ?? []));
  }

  private say(id: string, text: string, at: number): TranscriptChange[] {
    if (this.answerId !== undefined) return [this.entries.append(this.answerId, text)];
    const closed = this.closeThinking(at);
    this.answerId = id;
    this.ids.push(id);
    return [...closed, this.entries.put({ kind: 'answer', id, text, state: 'streaming' })];
  }

  private think(id: string, text: string, at: number): TranscriptChange[] {
    if (this.thinking) return [this.entries.append(this.thinking.id, text)];
    const closed = this.close(at, 'done');
    this.thinking = { id, since: at };
    this.ids.push(id);
    return [...closed, this.entries.put({ kind: 'thinking', id, text, running: true, seconds: 0 })];
  }

  private closeThinking(at: number): TranscriptChange[] {
    const { thinking } = this;
    const entry = this.entries.get(thinking?.id);
    this.thinking = undefined;
    if (!thinking || entry?.kind !== 'thinking') return [];
    return [this.entries.put({ ...entry, running: false, seconds: wholeSeconds(at - thinking.since) })];
  }
}

export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.round(milliseconds / 1000));
}

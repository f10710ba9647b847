import { type Event, getFunctionCalls, getFunctionResponses } from '@google/adk';
import type { RecordOf } from './session-record.ts';

/** What the log knows about a call without an answer. */
export interface UnfinishedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The model's event that contains the call. */
  readonly event: Event;
  /** The tool started, so it may have had an effect. */
  started: boolean;
  finished: RecordOf<'tool_finished'> | undefined;
  /** The pending approval. */
  question: RecordOf<'asked'> | undefined;
}

/** The calls that have no answer in the history. Empty between runs: a run that ends answers all its calls. */
export class CallLedger {
  private readonly calls = new Map<string, UnfinishedCall>();
  private readonly askedBy = new Map<string, UnfinishedCall>();

  get open(): readonly UnfinishedCall[] {
    return [...this.calls.values()];
  }

  get(id: string): UnfinishedCall | undefined {
    return this.calls.get(id);
  }

  clear(): void {
    this.calls.clear();
    this.askedBy.clear();
  }

  takeEvent(event: Event): void {
    for (const { id = '', name = '', args = {} } of getFunctionCalls(event)) {
      this.calls.set(id, { id, name, args, event, started: false, finished: undefined, question: undefined });
    }
    for (const { id = '' } of getFunctionResponses(event)) this.calls.delete(id);
    if (this.calls.size === 0) this.askedBy.clear();
  }

  take(record: RecordOf<'tool_started' | 'tool_finished' | 'asked' | 'answered'>): void {
    if (record.type === 'answered') {
      const asked = this.askedBy.get(record.requestId);
      if (asked) asked.question = undefined;
      return;
    }
    const call = this.calls.get((record.type === 'tool_finished' ? record.call.id : record.callId) ?? '');
    if (!call) return;
    if (record.type === 'tool_started') call.started = true;
    if (record.type === 'tool_finished') call.finished = record;
    if (record.type !== 'asked') return;
    call.question = record;
    this.askedBy.set(record.requestId, call);
  }
}

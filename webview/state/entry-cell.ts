import { Emitter } from '../../extension/base/emitter.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';

export type EntryChange = { readonly op: 'put' } | { readonly op: 'append'; readonly text: string };

/** One entry, to which its view subscribes, so that a change updates only that view. */
export class EntryCell {
  private readonly changes = new Emitter<EntryChange>();
  readonly subscribe = this.changes.on;

  constructor(private current: Entry) {}

  get entry(): Entry {
    return this.current;
  }

  /** The text of an answer or of thinking; empty for other kinds. */
  get text(): string {
    return 'text' in this.current ? this.current.text : '';
  }

  get streaming(): boolean {
    const { current } = this;
    return current.kind === 'answer' ? current.state === 'streaming' : current.kind === 'thinking' && current.running;
  }

  put(entry: Entry): void {
    this.current = entry;
    this.changes.fire({ op: 'put' });
  }

  append(text: string): void {
    const grown = withAppended(this.current, text);
    if (grown === this.current) return;
    this.current = grown;
    this.changes.fire({ op: 'append', text });
  }
}

/** Appends to the displayed text: the text of an entry, or the result of a tool. */
export function withAppended(entry: Entry, text: string): Entry {
  if ('text' in entry) return { ...entry, text: entry.text + text };
  if (entry.kind === 'tool') return { ...entry, detail: entry.detail + text };
  return entry;
}

import { TranscriptFeed } from '../../../extension/protocol/feed/feed.ts';
import type { ToPanel } from '../../../extension/protocol/panel/panel-messages.ts';
import type { Entry, TranscriptChange } from '../../../extension/protocol/transcript/transcript-entry.ts';
import { withAppended } from '../../../webview/state/transcript.ts';

/** A conversation made of entries instead of events, and the real feed that sends it to a panel. */
export class ToldConversation {
  readonly feed: TranscriptFeed;
  private byId: Map<string, Entry>;

  constructor(entries: readonly Entry[], post: (message: ToPanel) => void) {
    this.byId = byId(entries);
    this.feed = new TranscriptFeed(this, post);
  }

  get entries(): readonly Entry[] {
    return [...this.byId.values()];
  }

  entry(id: string): Entry | undefined {
    return this.byId.get(id);
  }

  /** Replaces the conversation. */
  replace(entries: readonly Entry[]): void {
    this.byId = byId(entries);
  }

  change(...changes: TranscriptChange[]): void {
    for (const change of changes) this.apply(change);
    this.feed.take(changes);
  }

  private apply(change: TranscriptChange): void {
    if (change.op === 'put') this.byId.set(change.entry.id, change.entry);
    if (change.op === 'remove') for (const id of change.ids) this.byId.delete(id);
    const entry = change.op === 'append' ? this.byId.get(change.id) : undefined;
    if (change.op === 'append' && entry) this.byId.set(change.id, withAppended(entry, change.text));
  }
}

function byId(entries: readonly Entry[]): Map<string, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

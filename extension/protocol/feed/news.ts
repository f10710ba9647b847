import { spokenText } from '../transcript/entry-text.ts';
import type { Entry, TranscriptChange } from '../transcript/transcript-entry.ts';

export interface Told {
  /** A single text for a screen reader about what finished or asks, because a second text would interrupt the first. */
  readonly spoken?: string;
  /** Whether messages were rewound or restored. Messages that were never delivered do not count. */
  readonly rewind?: 'made' | 'undone';
  /** The user's messages, including those withdrawn at once. */
  readonly said?: string[];
}

/** Finds what is new to a reader in a list of changes, and reports each item once. */
export class FeedNews {
  /** What was reported about an entry. Most entries need no report. */
  private readonly told = new Map<string, string>();
  /** The delivered messages. Only these can be rewound. */
  private readonly delivered = new Set<string>();
  /** Rewound entries. If they come back, they are not news. */
  private readonly rewound = new Set<string>();
  private spoken: string[] = [];
  private said: string[] = [];
  private readonly removed = new Set<string>();
  private lostMessage = false;
  private undone = false;

  /** Starts with an existing conversation. Only its open questions are announced. */
  reset(entries: readonly Entry[]): Told {
    this.collect();
    this.told.clear();
    this.delivered.clear();
    this.rewound.clear();
    for (const entry of entries) this.note(entry);
    const asking = entries.filter(asks).map(spokenText);
    return asking.length > 0 ? { spoken: asking.join(' ') } : {};
  }

  take(change: TranscriptChange, isNew: boolean): void {
    if (change.op === 'remove') for (const id of change.ids) this.remove(id);
    if (change.op === 'put') this.put(change.entry, isNew);
  }

  /** Returns the news since the last call. */
  collect(): Told {
    const isRewind = this.lostMessage;
    if (isRewind) for (const id of this.removed) this.rewound.add(id);
    const told: Told = {
      ...(this.spoken.length > 0 && { spoken: this.spoken.join(' ') }),
      ...(isRewind ? { rewind: 'made' as const } : this.undone && { rewind: 'undone' as const }),
      ...(this.said.length > 0 && { said: this.said }),
    };
    this.spoken = [];
    this.said = [];
    this.removed.clear();
    this.lostMessage = false;
    this.undone = false;
    return told;
  }

  private put(entry: Entry, isNew: boolean): void {
    const earlier = this.told.get(entry.id);
    const isBack = this.rewound.delete(entry.id);
    const wasMoved = this.removed.delete(entry.id);
    this.undone ||= isBack;
    const now = this.note(entry);
    if (isNew && !isBack && !wasMoved && entry.kind === 'user') this.said.push(entry.text);
    if (!isBack && now !== undefined && now !== earlier) this.spoken.push(spokenText(entry));
  }

  private remove(id: string): void {
    this.removed.add(id);
    this.told.delete(id);
    if (this.delivered.delete(id)) this.lostMessage = true;
  }

  private note(entry: Entry): string | undefined {
    if (entry.kind === 'user' && !entry.pending) this.delivered.add(entry.id);
    const what = toTell(entry);
    if (what !== undefined) this.told.set(entry.id, what);
    else this.told.delete(entry.id);
    return what;
  }
}

function asks(entry: Entry): boolean {
  return entry.kind === 'choice' || (entry.kind === 'tool' && entry.approval !== undefined);
}

/** What to report about the current state of an entry. */
function toTell(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'choice':
      return 'asks';
    case 'note':
    case 'compacted':
      return 'finished';
    case 'answer':
      return entry.state === 'streaming' ? undefined : 'finished';
    case 'tool':
      if (entry.command?.state === 'waiting') return 'waits for input';
      if (entry.unanswered) return 'nobody answered';
      if (entry.command?.blocked) return 'blocked';
      return entry.approval && `asks ${entry.approval.requestId}`;
    case 'protected':
      // The entry itself announces this state, because it is an alert.
      return entry.files.map(({ state }) => state).find((state) => state !== 'there');
    default:
      return undefined;
  }
}

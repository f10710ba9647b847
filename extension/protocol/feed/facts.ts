import type { PendingMessage, TranscriptFacts, Waiting } from '../panel/panel-messages.ts';
import type { Entry, TranscriptChange } from '../transcript/transcript-entry.ts';

/** The most unanswered cards whose typed text is given back. No user has more of them half-filled. */
const MAX_UNANSWERED = 50;

/** The length that fits on the shelf. The full message returns to the input. */
const MAX_PENDING_TEXT = 500;

/** The entries for looking up facts. */
export interface EntryList {
  readonly length: number;
  at(index: number): Entry | undefined;
  indexOf(id: string): number;
}

/** Tracks facts about the whole conversation, at a cost that does not grow with its length. */
export class Facts {
  private readonly waiting = new Map<string, Entry>();
  private readonly unanswered = new Map<string, string>();
  private readonly pending = new Map<string, PendingMessage>();

  reset(entries: readonly Entry[]): void {
    this.waiting.clear();
    this.unanswered.clear();
    this.pending.clear();
    for (const entry of entries) this.put(entry);
  }

  take(change: TranscriptChange): void {
    if (change.op === 'put') this.put(change.entry);
    if (change.op === 'remove') {
      for (const id of change.ids) {
        this.waiting.delete(id);
        this.unanswered.delete(id);
        this.pending.delete(id);
      }
    }
  }

  of(list: EntryList): TranscriptFacts {
    const waiting = [...this.waiting.values()].map((entry) => waitingOf(entry, list.indexOf(entry.id)));
    return {
      waiting: waiting.sort((a, b) => a.index - b.index),
      unanswered: [...this.unanswered.values()].slice(-MAX_UNANSWERED),
      open: [...openEntries(fromTheEnd(list))],
      retrying: list.at(list.length - 1)?.kind === 'retry',
      pending: [...this.pending.values()],
    };
  }

  private put(entry: Entry): void {
    if (needsUser(entry)) this.waiting.set(entry.id, entry);
    else this.waiting.delete(entry.id);
    if (entry.kind === 'user') this.putMessage(entry);
    if (entry.kind === 'tool' && entry.unanswered) this.unanswered.set(entry.id, entry.unanswered.requestId);
  }

  private putMessage({ id, messageId, text, pending }: Extract<Entry, { kind: 'user' }>): void {
    if (pending) this.pending.set(id, { messageId, text: text.slice(0, MAX_PENDING_TEXT), delivery: pending });
    else this.pending.delete(id);
  }
}

/** Whether an entry waits for the user. */
function needsUser(entry: Entry): boolean {
  if (entry.kind === 'tool') return entry.approval !== undefined || entry.command?.state === 'waiting';
  return entry.kind === 'choice';
}

function waitingOf(entry: Entry, index: number): Waiting {
  const approval = entry.kind === 'tool' ? entry.approval : undefined;
  const requestId = entry.kind === 'choice' ? entry.id : approval?.requestId;
  return {
    id: entry.id,
    index,
    ...(requestId !== undefined && { requestId }),
    title: approval?.title ?? (entry.kind === 'choice' ? entry.title : ''),
    subject: entry.kind === 'tool' ? entry.subject : '',
  };
}

function* fromTheEnd(list: EntryList): Generator<Entry> {
  for (let index = list.length - 1; index >= 0; index--) {
    const entry = list.at(index);
    if (entry) yield entry;
  }
}

/** Kinds of problems that don't affect the run; they are defined in protocol/agent/problem.ts. */
const MILD = new Set(['not-saved', 'log-damaged', 'session-locked', 'session-unreadable']);

/**
 * The entries whose buttons are still enabled: at the end of the conversation, the newest failure and the newest
 * warning of each kind, a note that offers to continue if nothing followed it, or otherwise the end of the last turn.
 * Entries are read newest first, no further than needed.
 */
export function openEntries(newestFirst: Iterable<Entry>): ReadonlySet<string> {
  const open = new Set<string>();
  const warnings = new Set<string>();
  let canContinue = true;
  let newest: Entry | undefined;
  for (const entry of newestFirst) {
    if (entry.kind === 'protected' || (entry.kind === 'note' && entry.quiet)) continue;
    newest ??= entry;
    if (entry.kind === 'usage') continue;
    if (entry.kind === 'note') {
      if (canContinue && entry.canContinue) open.add(entry.id);
      canContinue = false;
      continue;
    }
    if (entry.kind !== 'problem') break;
    const { kind } = entry.problem;
    if (!MILD.has(kind)) {
      open.add(entry.id);
      break;
    }
    if (!warnings.has(kind)) open.add(entry.id);
    warnings.add(kind);
  }
  if (open.size === 0 && newest?.kind === 'usage') open.add(newest.id);
  return open;
}

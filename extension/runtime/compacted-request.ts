import type { Event } from '@google/adk';
import type { Content } from '@google/genai';
import { contentWithCuts } from '../context/compaction/long-responses.ts';
import { snapshotMessage } from '../context/compaction/snapshot-message.ts';
import { isPlainUser } from '../context/compaction/split-point.ts';
import type { Summary } from '../sessions/compactions.ts';
import type { SessionHistory } from '../sessions/session-history.ts';
import { keptFacts } from './kept-facts.ts';

/** How many contents stand for what was summarised: the snapshot, and the answer to it. */
export const SUMMARY_CONTENTS = 2;

export interface CompactedContents {
  readonly contents: Content[];
  /** Whether the conversation begins with a snapshot. */
  readonly hasSummary: boolean;
}

/**
 * The contents of a history as they go out: a snapshot in the place of what was summarised, long outputs cut. Made of the
 * log alone, and each content only once, so the same history gives the same bytes.
 */
export class CompactedRequest {
  private readonly messages = new WeakMap<Summary, readonly [Content, Content]>();
  private cutContents = new WeakMap<Content, Content>();
  private cutCount = 0;

  constructor(private readonly history: Pick<SessionHistory, 'events' | 'compactions' | 'positionOf'>) {}

  contents(all: readonly Content[]): CompactedContents {
    const { compactions } = this.history;
    const summary = compactions.inForce;
    const kept = summary ? this.kept(all, summary) : 0;
    if (!summary || kept === 0) return { contents: this.cut(all), hasSummary: false };
    return { contents: [...this.messageOf(summary), ...this.cut(all.slice(kept))], hasSummary: true };
  }

  messageOf(summary: Summary): readonly [Content, Content] {
    const known = this.messages.get(summary);
    if (known) return known;
    const { events } = this.history;
    const last = this.history.positionOf(summary.upToEventId) ?? -1;
    const message = snapshotMessage(summary.summary, keptFacts(events.slice(0, last + 1)));
    this.messages.set(summary, message);
    return message;
  }

  private kept(all: readonly Content[], { upToEventId }: Summary): number {
    const last = this.history.positionOf(upToEventId);
    return last === undefined ? 0 : firstKept(all, this.history.events, last);
  }

  private cut(contents: readonly Content[]): Content[] {
    const { cuts } = this.history.compactions;
    if (cuts.size !== this.cutCount) this.cutContents = new WeakMap();
    this.cutCount = cuts.size;
    if (cuts.size === 0) return [...contents];
    return contents.map((content) => {
      const known = this.cutContents.get(content) ?? contentWithCuts(content, cuts);
      this.cutContents.set(content, known);
      return known;
    });
  }
}

/**
 * Where the contents of the events behind the `last` summarised one begin: always a plain message of the user, if need be an
 * earlier one, so that nothing is lost and no call is parted from its answer. 0 when there is no such place.
 */
export function firstKept(contents: readonly Content[], events: readonly Event[], last: number): number {
  for (let index = last + 1; index < events.length; index++) {
    const { content } = events[index] as Event;
    const at = content ? contents.lastIndexOf(content) : -1;
    if (at >= 0) return plainUserUpTo(contents, at);
    // It is there as a copy: these contents are not known by their events.
    if (content && isPlainUser(content) && content.parts?.[0]?.text) return 0;
  }
  const end = contents.at(-1);
  const isAnswer = end?.role === 'model' && !end.parts?.some((part) => part.functionCall);
  return isAnswer ? contents.length : plainUserUpTo(contents, contents.length - 1);
}

function plainUserUpTo(contents: readonly Content[], from: number): number {
  for (let at = from; at > 0; at--) if (isPlainUser(contents[at] as Content)) return at;
  return 0;
}

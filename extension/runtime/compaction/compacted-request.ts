import type { Event } from '@google/adk';
import type { Content, FunctionResponse } from '@google/genai';
import { contentWithCuts } from '../../context/compaction/long-responses.ts';
import { type KeptFacts, snapshotMessage, workMessage } from '../../context/compaction/snapshot-message.ts';
import { beginsRound, isPlainUser } from '../../context/compaction/split-point.ts';
import type { Summary } from '../../sessions/compactions.ts';
import { isNotice } from '../../sessions/notices.ts';
import type { SessionHistory } from '../../sessions/session-history.ts';
import { wordsOf } from '../hooks/run-hooks.ts';

export interface CompactedContents {
  readonly contents: Content[];
  /** The number of leading contents that replace the summarized part. */
  readonly summaryLength: number;
}

/**
 * Makes the contents of requests from a history: a snapshot replaces the summarized part, and long outputs are cut.
 * They depend on the log alone and each content is made once, so the same history gives the same bytes.
 */
export class CompactedRequest {
  private readonly messages = new WeakMap<Summary, readonly Content[]>();
  private readonly workMessages = new WeakMap<Summary, readonly Content[]>();
  private cutContents = new WeakMap<Content, Content>();
  private cutCount = 0;

  constructor(private readonly history: Pick<SessionHistory, 'events' | 'compactions' | 'positionOf'>) {}

  contents(all: readonly Content[]): CompactedContents {
    const { compactions } = this.history;
    const summary = compactions.inForce;
    const kept = summary ? this.kept(all, summary) : 0;
    if (!summary || kept === 0) return { contents: this.cut(all), summaryLength: 0 };
    const message = this.messageOf(summary, all[kept]);
    return { contents: [...message, ...this.cut(all.slice(kept))], summaryLength: message.length };
  }

  /** The message that replaces everything before the first kept content, if there is one. */
  messageOf(summary: Summary, firstKept: Content | undefined): readonly Content[] {
    const isWork = firstKept !== undefined && !isPlainUser(firstKept);
    const messages = isWork ? this.workMessages : this.messages;
    const known = messages.get(summary);
    if (known) return known;
    const last = this.history.positionOf(summary.upToEventId) ?? -1;
    const events = this.history.events.slice(0, last + 1);
    const message = isWork
      ? messageWithin(events, summary.summary)
      : snapshotMessage(summary.summary, preservedContext(events));
    messages.set(summary, message);
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

function messageWithin(events: readonly Event[], summary: string): readonly Content[] {
  const messages = messagesOfWork(events);
  const said = messages.flatMap(({ content }) => content?.parts ?? []);
  return workMessage(said, summary, preservedContext(events, messages));
}

/**
 * The index of the contents of the events after the `last` summarized one. It is always a plain user message or a round
 * of calls, if necessary an earlier one, so that nothing is lost and no call is separated from its answer. 0 if there
 * is no such index.
 */
export function firstKept(contents: readonly Content[], events: readonly Event[], last: number): number {
  let isWhole = true;
  for (let index = last + 1; index < events.length; index++) {
    const { content } = events[index] as Event;
    const at = content ? contents.lastIndexOf(content) : -1;
    if (at >= 0) return isWhole ? placeUpTo(contents, at) : plainUserUpTo(contents, at);
    // The contents hold a copy of this message, so they can't be matched with their events.
    if (content && isPlainUser(content) && content.parts?.[0]?.text) return 0;
    isWhole &&= !content;
  }
  const end = contents.at(-1);
  const isAnswer = end?.role === 'model' && !end.parts?.some((part) => part.functionCall);
  return isAnswer ? contents.length : plainUserUpTo(contents, contents.length - 1);
}

function placeUpTo(contents: readonly Content[], from: number): number {
  for (let at = from; at > 0; at--) if (isPlainUser(contents[at] as Content) || beginsRound(contents, at)) return at;
  return 0;
}

function plainUserUpTo(contents: readonly Content[], from: number): number {
  for (let at = from; at > 0; at--) if (isPlainUser(contents[at] as Content)) return at;
  return 0;
}

/**
 * The facts of these events that a summary must not lose, without messages that are sent anyway. The same events always
 * give the same facts.
 */
export function preservedContext(events: readonly Event[], sent: readonly Event[] = []): KeptFacts {
  const said = events.filter((event) => isMessage(event) && !sent.includes(event));
  const [first] = said;
  const last = said.at(-1);
  const between = said.slice(1, -1).map(wordsOf);
  const responses = events.flatMap(({ content }) =>
    (content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []),
  );
  const todos = lastOutput(responses, 'write_todos');
  const plan = lastOutput(responses, 'exit_plan_mode');
  return {
    ...(first && { goal: wordsOf(first) }),
    ...(between.length > 0 && { messages: between }),
    ...(last && last !== first && { lastMessage: wordsOf(last) }),
    ...(todos !== undefined && { todos }),
    ...(plan !== undefined && { plan }),
  };
}

/**
 * The messages that the work at the end of these events is about: those since the model last finished an answer, and at
 * least the last one. Messages sent during the work belong to it.
 */
function messagesOfWork(events: readonly Event[]): readonly Event[] {
  const messages: Event[] = [];
  for (const event of events.toReversed()) {
    if (isMessage(event)) messages.unshift(event);
    else if (messages.length > 0 && isAnswer(event.content)) break;
  }
  return messages;
}

/** Whether the event is a message of the user that the model received. */
export function isMessage(event: Event): boolean {
  return event.author === 'user' && !isNotice(event) && wordsOf(event) !== '';
}

function isAnswer(content: Content | undefined): boolean {
  return content?.role === 'model' && !content.parts?.some((part) => part.functionCall);
}

/** The output of the last successful call; a failed call has an error instead. */
function lastOutput(responses: readonly FunctionResponse[], tool: string): string | undefined {
  const output = responses.findLast(({ name, response }) => name === tool && typeof response?.['output'] === 'string');
  return output?.response?.['output'] as string | undefined;
}

import {
  BaseLlmRequestProcessor,
  CONTENT_REQUEST_PROCESSOR,
  type Event,
  type InvocationContext,
  isCompactedEvent,
  isLlmAgent,
  type LlmRequest,
} from '@google/adk';
import type { Content, Part } from '@google/genai';
import { contentOf, mergeAnswers, type Viewpoint, withoutAdkIds } from './event-content.ts';

/** One event of the request, with the answers to its calls right behind it, wherever they are in the history. */
interface Node {
  readonly index: number;
  readonly content: Content;
  readonly callIds: readonly string[];
  answer: Content | undefined;
  /** Where it begins in the flat list. */
  at: number;
}

interface Answer {
  readonly order: number;
  readonly content: Content;
}

/**
 * The contents of a growing history as one viewpoint sees them. Each event is looked at once; contents are those of the
 * events, not copies, and are never changed. A history that was changed in other ways than by growing needs a new object.
 */
export class HistoryContents {
  private readonly taken: Event[] = [];
  private readonly nodes: Node[] = [];
  private readonly nodesByCall = new Map<string, Node[]>();
  private readonly answerByCall = new Map<string, Answer>();
  private readonly flat: Content[] = [];
  private answerCount = 0;
  private lastCallIds: readonly string[] = [];
  private hasSummary = false;
  private endsWithLateAnswer = false;

  constructor(private readonly viewpoint: Viewpoint) {}

  /** Whether the events are those taken in so far, perhaps with more behind them. */
  isStartOf(events: readonly Event[], { agentName, branch, isolationScope }: Viewpoint): boolean {
    const mine = this.viewpoint;
    if (mine.agentName !== agentName || mine.branch !== branch || mine.isolationScope !== isolationScope) return false;
    return this.taken.every((event, index) => event === events[index]);
  }

  /**
   * Takes in what is new and returns all contents, in a list the caller may change. Undefined for the histories that ADK
   * puts together in another way: with a summary of its own, or ending with an answer that is not behind its call.
   */
  contents(events: readonly Event[]): Content[] | undefined {
    for (let index = this.taken.length; index < events.length; index++) this.take(events[index] as Event);
    return this.hasSummary || this.endsWithLateAnswer ? undefined : this.flat.slice();
  }

  private take(event: Event): void {
    this.taken.push(event);
    this.hasSummary ||= isCompactedEvent(event);
    const content = contentOf(event, this.viewpoint);
    if (!content) return;
    const calls = (content.parts ?? []).flatMap((part) => part.functionCall ?? []);
    const answers = (content.parts ?? []).flatMap((part) => part.functionResponse ?? []);
    const [callIds, answeredIds] = [idsOf(calls), idsOf(answers)];
    this.endsWithLateAnswer = answers.length > 0 && !answeredIds.some((id) => this.lastCallIds.includes(id));
    this.lastCallIds = callIds;
    if (answers.length > 0) this.addAnswer(content, answeredIds);
    else this.addNode(withoutAdkIds(content), callIds);
  }

  private addNode(content: Content, callIds: readonly string[]): void {
    const { length: index } = this.nodes;
    const node: Node = { index, content, callIds, answer: this.answerTo(callIds), at: this.flat.length };
    this.nodes.push(node);
    for (const id of callIds) {
      const others = this.nodesByCall.get(id);
      if (others) others.push(node);
      else this.nodesByCall.set(id, [node]);
    }
    this.layOutFrom(node);
  }

  private addAnswer(content: Content, ids: readonly string[]): void {
    const answer: Answer = { order: this.answerCount++, content };
    for (const id of ids) this.answerByCall.set(id, answer);
    const answered = ids.flatMap((id) => this.nodesByCall.get(id) ?? []);
    for (const node of answered) node.answer = this.answerTo(node.callIds);
    const [first] = answered.sort((a, b) => a.index - b.index);
    if (first) this.layOutFrom(first);
  }

  private answerTo(callIds: readonly string[]): Content | undefined {
    const answers = new Set(callIds.flatMap((id) => this.answerByCall.get(id) ?? []));
    const contents = [...answers].sort((a, b) => a.order - b.order).map((answer) => answer.content);
    const [only] = contents;
    return only && withoutAdkIds(contents.length === 1 ? only : mergeAnswers(contents));
  }

  /** Usually the last node; those behind it move when an old call is answered. */
  private layOutFrom(node: Node): void {
    this.flat.length = node.at;
    for (let index = node.index; index < this.nodes.length; index++) {
      const next = this.nodes[index] as Node;
      next.at = this.flat.length;
      this.flat.push(next.content);
      if (next.answer) this.flat.push(next.answer);
    }
  }
}

function idsOf(calls: readonly NonNullable<Part['functionCall' | 'functionResponse']>[]): string[] {
  return [...new Set(calls.flatMap(({ id }) => id || []))];
}

/**
 * Fills in the contents of a request, as ADK's own processor does, without converting and copying the whole history for
 * every request (docs/adk.md). ADK's is still asked in the cases that are rare.
 */
export class HistoryProcessor extends BaseLlmRequestProcessor {
  private history: HistoryContents | undefined;

  override async *runAsync(context: InvocationContext, request: LlmRequest): AsyncGenerator<Event, void, void> {
    const contents = this.contentsFor(context);
    if (contents) request.contents = contents;
    else yield* CONTENT_REQUEST_PROCESSOR.runAsync(context, request);
  }

  private contentsFor({ agent, branch, isolationScope, session }: InvocationContext): Content[] | undefined {
    if (!isLlmAgent(agent) || agent.includeContents !== 'default') return undefined;
    const viewpoint = { agentName: agent.name, branch, isolationScope };
    const { events } = session;
    if (!this.history?.isStartOf(events, viewpoint)) this.history = new HistoryContents(viewpoint);
    return this.history.contents(events);
  }
}

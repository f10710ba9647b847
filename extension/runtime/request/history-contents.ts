import {
  BaseLlmRequestProcessor,
  CONTENT_REQUEST_PROCESSOR,
  type Event,
  type InvocationContext,
  isCompactedEvent,
  isLlmAgent,
  type LlmRequest,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_CREDENTIAL_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
} from '@google/adk';
import type { Content, Part } from '@google/genai';

/** One event of the request, followed by the answers to its calls, wherever they are in the history. */
interface Node {
  readonly index: number;
  readonly content: Content;
  readonly callIds: readonly string[];
  answer: Content | undefined;
  /** Its index in the flat list. */
  at: number;
}

interface Answer {
  readonly order: number;
  readonly content: Content;
}

/**
 * The contents of a growing history from one viewpoint. Each event is processed once. The contents are those of the
 * events, not copies, and are never changed. A history that changes in any way other than growing needs a new object.
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

  /** Whether the events begin with those processed so far. */
  isStartOf(events: readonly Event[], { agentName, branch, isolationScope }: Viewpoint): boolean {
    const mine = this.viewpoint;
    if (mine.agentName !== agentName || mine.branch !== branch || mine.isolationScope !== isolationScope) return false;
    return this.taken.every((event, index) => event === events[index]);
  }

  /**
   * Processes new events and returns all contents, in a list that the caller may change. Undefined for histories that
   * ADK arranges in another way: with a summary by ADK, or ending with an answer that does not follow its call.
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

  /** Usually starts at the last node. Later nodes move if an old call is answered. */
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
 * Fills in the contents of a request like ADK's own processor, but without converting and copying the whole history for
 * every request (docs/adk.md). Rare cases are left to ADK's processor.
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

/** The agent that makes the request. It decides which events belong to the request, and which of them are quoted. */
interface Viewpoint {
  readonly agentName: string;
  readonly branch: string | undefined;
  readonly isolationScope: string | undefined;
}

/** ADK's own questions to the user, which are never sent to the model. */
const ADK_QUESTIONS: ReadonlySet<string | undefined> = new Set([
  REQUEST_CREDENTIAL_FUNCTION_CALL_NAME,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
  REQUEST_INPUT_FUNCTION_CALL_NAME,
]);

/**
 * The prefix of ids that ADK generated for calls without an id. They are not sent, because the API does not know them.
 */
const ADK_ID = 'adk-';

/** The content that an event adds to the request, if any. Same rules as in ADK (docs/adk.md), with ids unchanged. */
function contentOf(event: Event, viewpoint: Viewpoint): Content | undefined {
  const { author, content, branch, isolationScope } = event;
  if (!content?.role || content.parts?.[0]?.text === '') return undefined;
  if (branch && viewpoint.branch && !isWithin(viewpoint.branch, branch)) return undefined;
  if (isolationScope !== undefined && isolationScope !== viewpoint.isolationScope) return undefined;
  if (content.parts?.some(isAdkQuestion)) return undefined;
  const isForeign = viewpoint.agentName !== '' && author !== viewpoint.agentName && author !== 'user';
  return isForeign && content.parts?.length ? quotation(author, content.parts) : content;
}

/** Merges answer contents: the parts in order, and a later answer to a call replaces the earlier one. */
function mergeAnswers([first = {}, ...later]: readonly Content[]): Content {
  const parts = [...(first.parts ?? [])];
  const placeOf = new Map<string, number>();
  const remember = ({ functionResponse }: Part, place: number): void => {
    if (functionResponse?.id) placeOf.set(functionResponse.id, place);
  };
  parts.forEach(remember);
  for (const part of later.flatMap((content) => content.parts ?? [])) {
    const place = placeOf.get(part.functionResponse?.id ?? '') ?? parts.length;
    parts[place] = part;
    remember(part, place);
  }
  return { ...first, parts };
}

function withoutAdkIds(content: Content): Content {
  if (!content.parts?.some(hasAdkId)) return content;
  return { ...content, parts: content.parts.map((part) => (hasAdkId(part) ? withoutAdkId(part) : part)) };
}

function isWithin(branch: string, ancestor: string): boolean {
  return branch === ancestor || branch.startsWith(`${ancestor}.`);
}

function isAdkQuestion({ functionCall, functionResponse }: Part): boolean {
  return ADK_QUESTIONS.has(functionCall?.name) || ADK_QUESTIONS.has(functionResponse?.name);
}

function quotation(author: string | undefined, parts: readonly Part[]): Content {
  return { role: 'user', parts: [{ text: 'For context:' }, ...parts.map((part) => quoted(author, part))] };
}

function quoted(author: string | undefined, part: Part): Part {
  const { text, thought, functionCall, functionResponse } = part;
  if (text && !thought) return { text: `[${author}] said: ${text}` };
  if (functionCall) {
    const parameters = jsonOf(functionCall.args);
    return { text: `[${author}] called tool \`${functionCall.name}\` with parameters: ${parameters}` };
  }
  if (functionResponse) {
    const result = jsonOf(functionResponse.response);
    return { text: `[${author}] tool \`${functionResponse.name}\` returned result: ${result}` };
  }
  return part;
}

function jsonOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // Not valid JSON, for example a cycle: a quotation must not make the request fail.
    return String(value);
  }
}

function hasAdkId({ functionCall, functionResponse }: Part): boolean {
  return Boolean(functionCall?.id?.startsWith(ADK_ID) || functionResponse?.id?.startsWith(ADK_ID));
}

function withoutAdkId(part: Part): Part {
  const { functionCall, functionResponse } = part;
  return {
    ...part,
    ...(functionCall && { functionCall: anonymous(functionCall) }),
    ...(functionResponse && { functionResponse: anonymous(functionResponse) }),
  };
}

function anonymous<T extends { id?: string }>(call: T): Omit<T, 'id'> | T {
  if (!call.id?.startsWith(ADK_ID)) return call;
  const { id: _, ...rest } = call;
  return rest;
}

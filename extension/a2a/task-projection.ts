import { type Artifact, type Message, type Part, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import type { AgentEvent, ElicitationRequestEvent, MessageEvent } from '../protocol/agent/agent-event.ts';
import { plainText } from '../protocol/agent/content-part.ts';
import { type Problem, problemText } from '../protocol/agent/problem.ts';
import { a2aData, a2aMessage, a2aText, answerPart, joined } from './parts.ts';
import { questionParts, type TaskQuestions } from './questions.ts';
import { type TaskPlace, taskId } from './task-id.ts';
import { type Outcome, outcomeOf } from './task-outcome.ts';
import { toolData } from './tool-data.ts';

/** The length of the answer before one of its events. A retraction goes back to it. */
interface Before {
  readonly count: number;
  readonly isAfterCall: boolean;
}

const ARTIFACT = 'answer';

/**
 * Builds a task from the events of its run, and from nothing else. Therefore a task from the log is equal to the one that
 * a client has seen.
 */
export class TaskProjection {
  readonly id: string;
  private state = TaskState.TASK_STATE_SUBMITTED;
  private timestamp: string | undefined;
  private eventId: string | undefined;
  private hasBegun = false;
  private isStarted = false;
  private outcome: Outcome | undefined;
  /** The runs of the task: one, or one for each turn of a conversation. */
  private readonly streams: Set<string>;
  /** Whether the current turn is followed by another one. */
  private converses = false;
  /** How the last turn of a conversation ended, until the next one begins. */
  private turnEnd: Outcome | undefined;
  /** The answers of earlier turns. */
  private readonly answers: Artifact[] = [];
  private problem: Problem | undefined;
  private model: string | undefined;
  private readonly questions = new Map<string, ElicitationRequestEvent>();
  private readonly history: Message[] = [];
  private pieces: Part[] = [];
  /** By the event of the answer. */
  private readonly before = new Map<string, Before>();
  /** Whether a call came after the last text, so that the next one begins a paragraph. */
  private isAfterCall = false;

  constructor(
    private readonly place: TaskPlace,
    /** Whether a call runs that waits for nobody. Nothing runs in a session that is not open. */
    private readonly isExecuting: () => boolean = () => false,
  ) {
    this.id = taskId(place);
    this.streams = new Set([place.streamId]);
  }

  /** Whether an event of the task was seen. */
  get isThere(): boolean {
    return this.hasBegun;
  }

  get isFinal(): boolean {
    return this.outcome !== undefined;
  }

  get waits(): boolean {
    return this.state === TaskState.TASK_STATE_INPUT_REQUIRED;
  }

  /** Whether it is a conversation that takes the next message. */
  get isBetweenTurns(): boolean {
    return this.turnEnd !== undefined && this.outcome === undefined;
  }

  isOfTask({ streamId, threadId }: AgentEvent): boolean {
    return threadId === undefined && this.streams.has(streamId);
  }

  get open(): TaskQuestions {
    return this.questions;
  }

  get taskState(): TaskState {
    return this.state;
  }

  /** In milliseconds since the epoch. */
  get changedAt(): number {
    return Date.parse(this.timestamp ?? '');
  }

  /** Takes an event of the session, and returns what it changes for clients. */
  take(event: AgentEvent): StreamResponse[] {
    if (!this.concerns(event)) return [];
    this.hasBegun = true;
    // An event that is not kept has no id that a client could come back with.
    const isKept = !event.id.includes('~') && event.threadId === undefined;
    if (isKept) this.eventId = event.id;
    this.timestamp = event.timestamp;
    const updates = event.threadId === undefined ? this.taken(event, isKept ? event.id : undefined) : [];
    this.follow(event);
    return [...updates, ...this.settle(event.type.startsWith('elicitation_'))];
  }

  /** Tells whether the task waits, once it is known what runs. */
  recheck(): StreamResponse[] {
    return this.settle(false);
  }

  /** The process that worked on it has ended, and no question is open. */
  cutOff(): void {
    if (this.outcome || this.turnEnd || this.questions.size > 0) return;
    this.outcome = outcomeOf({ reason: 'aborted', data: { code: 'INTERRUPTED' } });
    this.state = this.outcome.state;
  }

  /** `historyLength` is how many messages the client wants, all by default. */
  task(historyLength?: number): Task {
    const { history, pieces } = this;
    const kept = historyLength === undefined ? history : historyLength <= 0 ? [] : history.slice(-historyLength);
    return {
      id: this.id,
      contextId: this.place.sessionId,
      status: this.status(),
      artifacts: [...this.answers, ...(pieces.length > 0 ? [this.artifact(joined(pieces))] : [])],
      history: [...kept],
      metadata: this.metadata(this.eventId),
    };
  }

  private concerns(event: AgentEvent): boolean {
    if (this.outcome) return false;
    // Agents have streams of their own, which lie inside of that of their leader.
    if (event.threadId !== undefined) return this.hasBegun && !this.turnEnd;
    if (earlierRun(event) === this.place.streamId) this.beginTurn(event.streamId);
    const isItsEnd =
      event.type === 'custom' && event.kind === 'task_ended' && event.data.streamId === this.place.streamId;
    return isItsEnd || this.isOfTask(event);
  }

  private beginTurn(streamId: string): void {
    if (this.streams.has(streamId)) return;
    if (this.pieces.length > 0) this.answers.push(this.artifact(joined(this.pieces)));
    this.streams.add(streamId);
    this.turnEnd = undefined;
    this.pieces = [];
    this.isAfterCall = false;
  }

  private follow(event: AgentEvent): void {
    if (event.type === 'elicitation_request') this.questions.set(event.requestId, event);
    if (event.type === 'elicitation_response') this.questions.delete(event.requestId);
  }

  private taken(event: AgentEvent, eventId: string | undefined): StreamResponse[] {
    switch (event.type) {
      case 'message':
        return this.message(event);
      case 'agent_start':
        this.isStarted = true;
        return [];
      case 'agent_end':
        this.endTurn(outcomeOf(event, this.problem));
        return [];
      case 'tool_request':
      case 'tool_update':
      case 'tool_response':
        this.isAfterCall = true;
        return [this.working([a2aData(toolData(event))], event.id, eventId)];
      case 'session_update':
        if (event.model !== undefined && event.config === undefined) this.model = event.model;
        return [];
      case 'error': {
        const problem = event._meta?.problem;
        if (event.fatal) this.problem = problem ?? { kind: 'internal', title: event.message, detail: '', actions: [] };
        if (event.fatal || !problem) return [];
        const { kind, title, detail } = problem;
        const said = [a2aText(problemText(problem)), a2aData({ type: 'warning', kind, title, detail })];
        return [this.working(said, event.id, eventId)];
      }
      case 'custom':
        if (event.kind === 'task_ended') this.outcome = outcomeOf({ reason: 'aborted' });
        return event.kind === 'answer_retracted' ? this.retract(event.data.from, event.id) : [];
      default:
        return [];
    }
  }

  /** A failure ends a conversation too: what it was about is known to the next task of the session. */
  private endTurn(end: Outcome): void {
    const goesOn = end.state === TaskState.TASK_STATE_COMPLETED || end.state === TaskState.TASK_STATE_REJECTED;
    if (this.converses && goesOn) this.turnEnd = end;
    else this.outcome = end;
  }

  private message({ id, role, content, _meta }: MessageEvent): StreamResponse[] {
    if (role === 'user') {
      if (_meta?.pending === undefined) this.converses = _meta?.['a2aConversation'] === true;
      const messageId = [_meta?.['a2aMessageId'], _meta?.messageId, id].find((given) => typeof given === 'string');
      const parts = [a2aText(plainText(content))];
      this.history.push(a2aMessage({ messageId: String(messageId), ...this.ids, role: 'user', parts }));
    }
    if (role !== 'agent') return [];
    this.before.set(id, { count: this.pieces.length, isAfterCall: this.isAfterCall });
    return content.flatMap((part) => {
      if (part.type === 'thought') return [this.working([a2aText(part.thought)], id, id, { thought: true })];
      const said = answerPart(part);
      return said ? [this.append(said, id)] : [];
    });
  }

  private append(said: Part, eventId: string): StreamResponse {
    const isFirst = this.pieces.length === 0;
    const begins = this.isAfterCall && !isFirst && said.content?.$case === 'text';
    const part = begins && said.content?.$case === 'text' ? a2aText(`\n\n${said.content.value}`) : said;
    this.isAfterCall = false;
    this.pieces.push(part);
    return this.artifactUpdate([part], !isFirst, eventId);
  }

  /** The answer was cut off and is requested again, so what came of it is replaced. */
  private retract(from: string, eventId: string): StreamResponse[] {
    const before = this.before.get(from);
    if (!before) return [];
    this.isAfterCall = before.isAfterCall;
    if (before.count === this.pieces.length) return [];
    this.pieces = this.pieces.slice(0, before.count);
    const left = joined(this.pieces);
    // An artifact has at least one part.
    return [this.artifactUpdate(left.length > 0 ? left : [a2aText('')], false, eventId)];
  }

  private settle(isAboutQuestions: boolean): StreamResponse[] {
    const state = this.wantedState();
    const isNews = state !== this.state || (isAboutQuestions && state === TaskState.TASK_STATE_INPUT_REQUIRED);
    this.state = state;
    if (!isNews) return [];
    const { eventId } = this;
    const update = { taskId: this.id, contextId: this.place.sessionId, status: this.status() };
    return [{ payload: { $case: 'statusUpdate', value: { ...update, metadata: this.metadata(eventId) } } }];
  }

  private wantedState(): TaskState {
    if (this.outcome) return this.outcome.state;
    if (this.turnEnd) return TaskState.TASK_STATE_INPUT_REQUIRED;
    if (this.questions.size > 0 && !this.isExecuting()) return TaskState.TASK_STATE_INPUT_REQUIRED;
    return this.isStarted ? TaskState.TASK_STATE_WORKING : TaskState.TASK_STATE_SUBMITTED;
  }

  private status(): NonNullable<Task['status']> {
    return { state: this.state, message: this.statusMessage(), timestamp: this.timestamp };
  }

  private statusMessage(): Message | undefined {
    const text = (this.outcome ?? this.turnEnd)?.text;
    const asked = this.waits ? [...this.questions.values()].flatMap(questionParts) : [];
    const parts = text === undefined ? asked : [a2aText(text)];
    if (parts.length === 0) return undefined;
    return a2aMessage({ messageId: `${this.eventId}-status`, ...this.ids, role: 'agent', parts });
  }

  /** An update of a task that still works. `eventId` is set if a client can resume its stream after it. */
  private working(
    parts: readonly Part[],
    messageId: string,
    eventId: string | undefined,
    metadata?: Readonly<Record<string, unknown>>,
  ): StreamResponse {
    const message = a2aMessage({ messageId, ...this.ids, role: 'agent', parts, ...(metadata && { metadata }) });
    const status = { state: this.state, message, timestamp: this.timestamp };
    const value = { ...this.ids, status, metadata: eventId === undefined ? undefined : { eventId } };
    return { payload: { $case: 'statusUpdate', value } };
  }

  private artifactUpdate(parts: readonly Part[], append: boolean, eventId: string): StreamResponse {
    const value = { ...this.ids, artifact: this.artifact(parts), append, lastChunk: false, metadata: { eventId } };
    return { payload: { $case: 'artifactUpdate', value } };
  }

  private get ids(): { readonly taskId: string; readonly contextId: string } {
    return { taskId: this.id, contextId: this.place.sessionId };
  }

  private metadata(eventId: string | undefined): Record<string, unknown> {
    const { model, outcome = this.turnEnd } = this;
    return { ...(eventId !== undefined && { eventId }), ...(model !== undefined && { model }), ...outcome?.metadata };
  }

  /** Each turn has its own. */
  private artifact(parts: readonly Part[]): Artifact {
    const turn = this.streams.size;
    const artifactId = turn === 1 ? ARTIFACT : `${ARTIFACT}-${turn}`;
    return { artifactId, name: 'Answer', description: '', parts: [...parts], metadata: undefined, extensions: [] };
  }
}

/** The first run of the task whose next turn this message begins. */
export function earlierRun(event: AgentEvent): string | undefined {
  const earlier = event.type === 'message' && event.role === 'user' ? event._meta?.['a2aTask'] : undefined;
  return typeof earlier === 'string' ? earlier : undefined;
}

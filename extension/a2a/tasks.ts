import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Message, type SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk';
import { InOrder } from '../base/in-order.ts';
import { isMissing } from '../files/error-code.ts';
import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import type { AgentSend } from '../protocol/agent/agent-protocol.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import type { AgentService } from '../runtime/agent-service.ts';
import { type CallFacts, CONVERSATION } from './call-facts.ts';
import { contextNotFound, malformed, taskNotFound, unsupported } from './errors.ts';
import { EventFeed } from './event-feed.ts';
import { type ReceivedMessage, receivedMessage, requireMessage } from './message-content.ts';
import { type MessageSettings, messageSettings, requireNarrower } from './message-settings.ts';
import type { HeldSession, OpenSessions } from './open-sessions.ts';
import { a2aData, a2aMessage, a2aText } from './parts.ts';
import { givesResult, isApproval, taskAnswer, textAnswer } from './questions.ts';
import { type FollowedTask, type FollowerParts, settledTask, TaskFollower } from './task-follower.ts';
import { type TaskPlace, taskId, taskPlace } from './task-id.ts';
import { earlierRun, TaskProjection } from './task-projection.ts';

export interface TasksParts {
  readonly service: AgentService;
  readonly sessions: OpenSessions;
  /** The folder whose sessions are served. */
  readonly workspace: string;
  /** Whether clients may allow calls. */
  readonly approves: boolean;
}

/** Where answers and messages come from, in logs. */
const SOURCE = 'a2a';

/** The tasks of all sessions of a folder: a task is a run of a session. */
export class Tasks {
  /** Tasks that arrive together begin in turns of the event loop of their own, so that the others' streams continue. */
  private readonly beginnings = new InOrder();

  constructor(private readonly parts: TasksParts) {}

  /** Sends a message: it begins a task, or answers or steers the one that it names. */
  async send(request: SendMessageRequest, call: CallFacts): Promise<FollowedTask> {
    const { metadata } = request;
    const message = requireMessage(request.message);
    const received = receivedMessage(message);
    const converses = call.extensions.has(CONVERSATION) || message.extensions.includes(CONVERSATION);
    const settings = { ...messageSettings({ ...metadata, ...message.metadata }), converses };
    if (message.taskId !== '') return this.sendTo(message, received, settings, call);
    return this.begin(message, received, settings, call);
  }

  /** Takes the result of a call that ran in the client. Does not wait for what follows. */
  async inject(id: string, outcome: Readonly<Record<string, unknown>>, call: CallFacts): Promise<TaskProjection> {
    const ids = { taskId: id, contextId: '', messageId: randomUUID() };
    const message = a2aMessage({ ...ids, role: 'user', parts: [a2aData(outcome)] });
    (await this.sendTo(message, receivedMessage(message), {}, call)).close();
    return this.get(id);
  }

  /** The task as its log has it. */
  async get(id: string): Promise<TaskProjection> {
    const { place, events, isOpen } = await this.find(id);
    return this.project(place, events, isOpen);
  }

  /** Builds the task from these events of its open session. */
  projectionOf(id: string, events: readonly AgentEvent[]): TaskProjection {
    const place = taskPlace(id);
    if (!place) throw taskNotFound(id);
    return this.project(place, events, true);
  }

  /** Follows a task from the last event that the client has seen, or from now on. */
  async subscribe(id: string, { signal, lastEventId }: CallFacts): Promise<FollowedTask> {
    const { place, events, isOpen } = await this.find(id);
    const now = this.project(place, events, isOpen);
    const known = events.some((event) => event.id === lastEventId && now.isOfTask(event));
    if (now.isFinal) {
      if (!known) throw unsupported(`The task ${id} has ended. Get it instead.`);
      return this.follow({ place, events, lastEventId });
    }
    const { session, release } = await this.open(place.sessionId);
    const feed = new EventFeed(session, signal);
    const since = known ? { lastEventId } : {};
    return this.follow({ place, events: session.events, feed, release, ...since, staysWhileWaiting: true });
  }

  /** Stops a task. Undefined if it has ended already. */
  async cancel(id: string): Promise<TaskProjection | undefined> {
    const { place, events, isOpen } = await this.find(id);
    if (this.project(place, events, isOpen).isFinal) return undefined;
    const held = await this.open(place.sessionId);
    try {
      const task = this.project(place, held.session.events, true);
      if (task.isFinal) return undefined;
      if (task.isBetweenTurns) this.parts.service.session(place.sessionId).endTask(place.streamId);
      else await held.session.abort();
      return this.project(place, held.session.events, true);
    } finally {
      held.release();
    }
  }

  /** The tasks of a session, oldest first. Undefined if there is no such session. */
  async tasksIn(sessionId: string): Promise<TaskProjection[] | undefined> {
    const stored = await this.stored(sessionId);
    if (!stored) return undefined;
    const { events, isOpen } = stored;
    return runsIn(events).map((streamId) => this.project({ sessionId, streamId }, events, isOpen));
  }

  /** The sessions of the folder, newest first. */
  async sessionIds(): Promise<string[]> {
    const { service, workspace } = this.parts;
    const listed = (await service.library?.list()) ?? [];
    return listed.flatMap(({ id, workspace: other, problem }) => (other === workspace && !problem ? id : []));
  }

  private async begin(
    message: Message,
    received: ReceivedMessage,
    settings: MessageSettings,
    call: CallFacts,
  ): Promise<FollowedTask> {
    const { answers, continues, content } = received;
    if (answers.length > 0) throw malformed('An answer names the task whose question it answers, with taskId.');
    const { contextId } = message;
    const before = contextId === '' ? undefined : await this.stored(contextId);
    if (contextId !== '' && !before) throw contextNotFound(contextId);
    if (continues && (contextId === '' || content.length > 0)) {
      throw malformed('A message with "continue" needs a contextId and can contain nothing else.');
    }
    await this.beginnings.run(nextTurn);
    const held = await this.hold(contextId, settings);
    if (typeof held === 'string') return settledTask(heldTask(message, contextId, held));
    return this.keeping(held, () => held.order.run(() => this.start(held, message, received, settings, call)));
  }

  private async start(
    { session, release }: HeldSession,
    message: Message,
    { content, continues }: ReceivedMessage,
    { model, approvalMode, tools, converses = false }: MessageSettings,
    { signal, traceparent }: CallFacts,
    /** The first run of the task whose next turn this is. */
    earlier?: string,
  ): Promise<FollowedTask> {
    const { service } = this.parts;
    const { id: sessionId } = session;
    const activity = service.activityOf(sessionId);
    if (activity === 'running' || activity === 'waits') {
      const current = taskId({ sessionId, streamId: taskStream(session.events) });
      throw unsupported(
        `The session works on the task ${current}. Send the message to it, or wait until it has ended.`,
      );
    }
    if (approvalMode !== undefined) {
      requireNarrower(approvalMode, service.session(sessionId).approvalMode);
      await session.send({ update: { config: { approvalMode } } });
    }
    if (tools) service.session(sessionId).giveTools(tools);
    const said = { content, ...(model !== undefined && { model }) };
    const payload: AgentSend = continues ? { action: { type: 'continue', data: undefined } } : { message: said };
    const turn = { ...(converses && { a2aConversation: true }), ...(earlier !== undefined && { a2aTask: earlier }) };
    const meta = { source: SOURCE, a2aMessageId: message.messageId, ...turn };
    if (traceparent !== undefined) service.workFor(sessionId, traceparent);
    const { streamId } = await session.send({ ...payload, _meta: meta });
    if (streamId === null) throw unsupported('The session works on something else. Wait until it has ended.');
    const feed = new EventFeed(session, signal);
    const place = { sessionId, streamId: earlier ?? streamId };
    return this.follow({ place, events: session.events, feed, release });
  }

  /** Sends a message to a task that is not finished. */
  private async sendTo(
    message: Message,
    received: ReceivedMessage,
    settings: MessageSettings,
    call: CallFacts,
  ): Promise<FollowedTask> {
    const { place, events, isOpen } = await this.find(message.taskId);
    const { contextId } = message;
    if (contextId !== '' && contextId !== place.sessionId) {
      throw malformed(`The task ${message.taskId} is not one of the context ${contextId}.`);
    }
    if (received.continues || settings.approvalMode !== undefined) {
      throw malformed('"continue" and an approval mode belong to a message that begins a task.');
    }
    const result = received.answers.find(givesResult);
    const ended = (): Error =>
      result
        ? malformed('The call was answered or canceled, because its task has ended. Nothing was changed.')
        : unsupported(`The task ${message.taskId} has ended. Send the message to its context.`);
    if (this.project(place, events, isOpen).isFinal) throw ended();
    const held = await this.open(place.sessionId);
    return this.keeping(held, () =>
      held.order.run(async () => {
        const { session } = held;
        // Opening the session closes a run that cannot continue.
        const task = this.project(place, session.events, true);
        if (task.isFinal) throw ended();
        if (task.isBetweenTurns && received.answers.length === 0) {
          return this.start(held, message, received, settings, call, place.streamId);
        }
        const payloads = this.payloads(task, message, received, settings);
        if (settings.tools) this.parts.service.session(session.id).giveTools(settings.tools);
        for (const payload of payloads) await session.send(payload);
        const feed = new EventFeed(session, call.signal);
        return this.follow({ place, events: session.events, feed, release: held.release });
      }),
    );
  }

  /** All of them, or none: a wrong answer throws before anything is sent. */
  private payloads(
    { open }: TaskProjection,
    { messageId, parts }: Message,
    { answers: given, content, text }: ReceivedMessage,
    { model }: MessageSettings,
  ): AgentSend[] {
    const isText = given.length === 0 && parts.every(({ content: part }) => part?.$case === 'text');
    const byText = isText ? textAnswer(text, open) : undefined;
    const elicitations = byText ? [byText] : given.map((part) => taskAnswer(part, open));
    if (!this.parts.approves && elicitations.some((answer) => isApproval(answer, open))) {
      throw unsupported('This server leaves approvals to people. The question is still open.');
    }
    const steers = content.length > 0 && !byText;
    const said = { content, delivery: 'steer', ...(model !== undefined && { model }) } as const;
    return [
      ...(elicitations.length > 0 ? [{ elicitations, _meta: { source: SOURCE } }] : []),
      ...(steers ? [{ message: said, _meta: { source: SOURCE, a2aMessageId: messageId } }] : []),
    ];
  }

  private follow({ place, events, lastEventId, ...follower }: Following): FollowedTask {
    const projection = new TaskProjection(place, this.executing(place.sessionId));
    const seen = lastEventId === undefined ? events.length : events.findIndex(({ id }) => id === lastEventId) + 1;
    for (const event of events.slice(0, seen)) projection.take(event);
    if (lastEventId === undefined) projection.recheck();
    return new TaskFollower({ projection, missed: events.slice(seen), ...follower });
  }

  private project(place: TaskPlace, events: readonly AgentEvent[], isOpen: boolean): TaskProjection {
    const projection = new TaskProjection(place, isOpen ? this.executing(place.sessionId) : undefined);
    for (const event of events) projection.take(event);
    projection.recheck();
    if (!isOpen && !this.isHeldElsewhere(place.sessionId)) projection.cutOff();
    return projection;
  }

  private executing(sessionId: string): () => boolean {
    const { service } = this.parts;
    return () => service.isOpen(sessionId) && service.session(sessionId).isExecuting;
  }

  private isHeldElsewhere(sessionId: string): boolean {
    return this.parts.service.library?.isHeldByOthers(sessionId, new Set([process.pid])) ?? false;
  }

  private async find(id: string): Promise<StoredSession & { readonly place: TaskPlace }> {
    const given: unknown = id;
    if (typeof given !== 'string') throw malformed('The id of a task is a text.');
    const place = taskPlace(given);
    const stored = place && (await this.stored(place.sessionId));
    if (!stored || !runsIn(stored.events).includes(place.streamId)) throw taskNotFound(id);
    return { place, ...stored };
  }

  /** What happened in a session of the folder, open or not. */
  private async stored(sessionId: string): Promise<StoredSession | undefined> {
    const { sessions, service, workspace } = this.parts;
    const open = await sessions.find(sessionId);
    const events = open?.events ?? (await readable(async () => service.library?.events(sessionId)));
    const [first] = events ?? [];
    // The sessions of agents belong to those of their leaders.
    const isHere = first?.type === 'initialize' && first.workspace === workspace && first.agentId === 'gantry';
    return events && isHere ? { events, isOpen: open !== undefined } : undefined;
  }

  /** The session of a context, or a new one. Returns who holds it instead if another process does. */
  private async hold(contextId: string, { interactive }: MessageSettings): Promise<HeldSession | string> {
    const { sessions, service } = this.parts;
    const options = interactive === undefined ? {} : { interactive };
    if (contextId === '') return sessions.create(options);
    const held = await sessions.open(contextId, options);
    const holder = service.holderOf(contextId);
    if (holder === undefined) return held;
    held.release();
    await sessions.close(contextId);
    return holder;
  }

  private async open(sessionId: string): Promise<HeldSession> {
    const held = await this.hold(sessionId, {});
    if (typeof held !== 'string') return held;
    throw unsupported(`The session is open in ${held}. Continue there, or close it there and try again.`);
  }

  /** Releases the session if the work fails. Otherwise the follower of the task releases it. */
  private async keeping<Result>({ release }: HeldSession, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      release();
      throw error;
    }
  }
}

interface Following extends Omit<FollowerParts, 'projection' | 'missed'> {
  readonly place: TaskPlace;
  /** All events of the session so far. */
  readonly events: readonly AgentEvent[];
  /** The last event that the client has seen. Without it, the client learns the task as it is now. */
  readonly lastEventId?: string | undefined;
}

interface StoredSession {
  readonly events: readonly AgentEvent[];
  /** Whether it is open in this process. */
  readonly isOpen: boolean;
}

/** The first run of the task that the last message belongs to. */
function taskStream(events: readonly AgentEvent[]): string {
  const last = events.findLast(({ type, threadId }) => type === 'message' && threadId === undefined);
  return (last && earlierRun(last)) ?? runsIn(events).at(-1) ?? '';
}

/** The streams of the runs that began the tasks of a session, oldest first. */
function runsIn(events: readonly AgentEvent[]): string[] {
  // A run is there as soon as its message is. Events outside of runs are in a stream named after the session.
  const own = events.filter(({ type, threadId }) => {
    return threadId === undefined && (type === 'agent_start' || type === 'message');
  });
  const sessionId = events[0]?.type === 'initialize' ? events[0].sessionId : '';
  const others = new Set([
    sessionId,
    ...own.flatMap((event) => (earlierRun(event) === undefined ? [] : event.streamId)),
  ]);
  return [...new Set(own.map(({ streamId }) => streamId))].filter((streamId) => !others.has(streamId));
}

/** Undefined for a session that does not exist. */
async function readable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    const isNone = ProblemError.is(error, 'not-found') || ProblemError.is(error, 'bad-input') || isMissing(error);
    if (isNone || (error instanceof Error && error.name === 'SessionError')) return undefined;
    throw error;
  }
}

/** A task that cannot begin, because another process has the session open. It is not stored. */
function heldTask({ messageId, parts }: Message, sessionId: string, holder: string): Task {
  const id = taskId({ sessionId, streamId: randomUUID() });
  const ids = { taskId: id, contextId: sessionId };
  const text = `The session is open in ${holder}. Continue there, or close it there and try again. Nothing was sent.`;
  return {
    id,
    contextId: sessionId,
    status: {
      state: TaskState.TASK_STATE_FAILED,
      message: a2aMessage({ messageId: `${id}-status`, ...ids, role: 'agent', parts: [a2aText(text)] }),
      timestamp: new Date().toISOString(),
    },
    artifacts: [],
    history: [a2aMessage({ messageId, ...ids, role: 'user', parts })],
    metadata: { code: 'SESSION_LOCKED', holder },
  };
}

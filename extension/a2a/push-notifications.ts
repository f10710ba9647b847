import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { TaskState } from '@a2a-js/sdk';
import type { Logger } from '../ports/logger.ts';
import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import type { AgentSession } from '../protocol/agent/agent-session.ts';
import { isTaskNotFound, malformed, noPushConfig, unsupported } from './errors.ts';
import type { PushSender, PushTarget } from './push-sender.ts';
import type { PushStore } from './push-store.ts';
import { type PushPrefix, pushConfig } from './push-target.ts';
import { taskPlace } from './task-id.ts';
import type { TaskProjection } from './task-projection.ts';
import type { Tasks } from './tasks.ts';

/** For one task, and tasks with configs at a time. */
const MOST_CONFIGS = 10;
const MOST_TASKS = 1_000;

export interface PushParts {
  readonly prefix: PushPrefix;
  readonly tasks: Tasks;
  readonly store: PushStore;
  readonly sender: PushSender;
  readonly log: Logger;
}

/** A task whose states are sent. */
interface PushedTask {
  readonly id: string;
  /** By the ID of the config. */
  readonly receivers: Map<string, Receiver>;
  /** The state that was sent last, or that was known when the config came. */
  state: TaskState | undefined;
  /** While the session is open. */
  projection: TaskProjection | undefined;
}

/**
 * Sends a task to the URLs that its clients have named, whenever its state changes. A task doesn't wait for that. A
 * config lives until it is deleted, or the end of its task was sent.
 */
export class PushNotifications {
  /** By session, then by task. */
  private readonly pushed = new Map<string, Map<string, PushedTask>>();
  private readonly open = new Map<string, AgentSession>();
  private taskCount = 0;

  constructor(private readonly parts: PushParts) {}

  /** Whether a notification is on its way. */
  get isSending(): boolean {
    return this.all().some(({ receivers }) => [...receivers.values()].some((receiver) => receiver.isSending));
  }

  /** Reads what clients have named before the server started. The returned function sends what they have missed. */
  async restore(): Promise<() => Promise<void>> {
    const { store } = this.parts;
    for (const { taskId, targets } of await store.load()) {
      if (targets.length === 0) await store.save(taskId, []);
      else for (const target of targets) this.receive(this.find(taskId) ?? this.taskFor(taskId, undefined), target);
    }
    const restored = this.all();
    return async () => {
      for (const task of restored) await this.catchUp(task);
    };
  }

  /** Reads the config of a message before the message is sent. */
  requireConfig(given: TaskPushNotificationConfig, taskId: string): TaskPushNotificationConfig {
    const config = pushConfig(given, this.parts.prefix);
    const known = this.find(taskId)?.receivers;
    if (!known && this.taskCount >= MOST_TASKS) {
      throw malformed(`Push notification configs are possible for ${MOST_TASKS} tasks at a time.`);
    }
    if (known && known.size >= MOST_CONFIGS && !known.has(config.id)) {
      throw malformed(`A task has up to ${MOST_CONFIGS} push notification configs.`);
    }
    return { ...config, taskId };
  }

  /** Adds the config of a message to its task, whose state may have changed already. */
  async follow(taskId: string, config: TaskPushNotificationConfig, version: string): Promise<void> {
    try {
      const now = await this.parts.tasks.get(taskId);
      await this.add(now, { config: { ...config, taskId }, version }, TaskState.TASK_STATE_SUBMITTED);
    } catch (error) {
      // A task that could not begin, because another program has its session open, is not stored.
      if (!isTaskNotFound(error)) throw error;
    }
  }

  async create(given: TaskPushNotificationConfig, version: string): Promise<TaskPushNotificationConfig> {
    const now = await this.parts.tasks.get(given.taskId);
    const config = this.requireConfig(given, now.id);
    if (now.isFinal) throw unsupported(`The task ${now.id} has ended. Get it instead.`);
    await this.add(now, { config, version }, now.taskState);
    return config;
  }

  async get({ taskId, id }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    const configs = await this.configsOf(taskId);
    // In 0.3, the ID is optional.
    const config = id === '' ? configs[0] : configs.find((each) => each.id === id);
    if (!config) throw noPushConfig(taskId, id);
    return config;
  }

  async list({
    taskId,
    pageSize,
    pageToken,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    const configs = await this.configsOf(taskId);
    const start = pageToken === '' ? 0 : configs.findIndex(({ id }) => id === pageToken);
    if (start < 0) throw malformed('"pageToken" is not one of this server.');
    const end = Number.isInteger(pageSize) && pageSize > 0 ? start + pageSize : configs.length;
    return { configs: configs.slice(start, end), nextPageToken: configs[end]?.id ?? '' };
  }

  /** Does nothing if there is no such config. */
  async remove({ taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    await this.parts.tasks.get(taskId);
    const task = this.find(taskId);
    if (!task) return;
    task.receivers.get(id)?.stop();
    task.receivers.delete(id);
    await this.save(task);
  }

  /** Follows an open session. Returns what ends that. */
  readonly watch = (session: AgentSession): (() => void) => {
    const { id } = session;
    this.open.set(id, session);
    const stop = session.subscribe((event) => this.take(id, event));
    for (const task of this.pushed.get(id)?.values() ?? []) this.project(task, session);
    return () => {
      stop();
      if (this.open.get(id) === session) this.open.delete(id);
    };
  };

  /** What was not sent is sent when the next server starts. */
  dispose(): void {
    this.parts.sender.dispose();
  }

  /** `seen` is the state that the client knows. */
  private async add(now: TaskProjection, target: PushTarget, seen: TaskState): Promise<void> {
    const task = this.find(now.id) ?? this.taskFor(now.id, now.taskState);
    const receiver = this.receive(task, target);
    const session = this.open.get(sessionOf(now.id));
    if (!task.projection && session) this.project(task, session);
    await this.save(task);
    const current = task.projection ?? now;
    if (current.taskState !== seen) this.tell(task, current, [receiver]);
  }

  private taskFor(id: string, state: TaskState | undefined): PushedTask {
    const sessionId = sessionOf(id);
    const task: PushedTask = { id, receivers: new Map(), state, projection: undefined };
    const ofSession = this.pushed.get(sessionId) ?? new Map<string, PushedTask>();
    this.pushed.set(sessionId, ofSession.set(id, task));
    this.taskCount++;
    return task;
  }

  private receive(task: PushedTask, target: PushTarget): Receiver {
    const { id } = target.config;
    const receiver = new Receiver(target, this.parts.sender);
    task.receivers.get(id)?.stop();
    task.receivers.set(id, receiver);
    return receiver;
  }

  private project(task: PushedTask, { events }: Pick<AgentSession, 'events'>): void {
    task.projection = this.parts.tasks.projectionOf(task.id, events);
    this.compare(task, task.projection);
  }

  private take(sessionId: string, event: AgentEvent): void {
    for (const task of this.pushed.get(sessionId)?.values() ?? []) {
      const { projection } = task;
      if (!projection || projection.isFinal) continue;
      const updates = projection.take(event);
      // Another question is news, although the task waited already.
      const asksAnew = projection.waits && updates.length > 0 && event.type.startsWith('elicitation_');
      if (asksAnew) this.tell(task, projection);
      else this.compare(task, projection);
    }
  }

  private compare(task: PushedTask, now: TaskProjection): void {
    // After a restart, it isn't known which state was sent. Nobody waits for the news that a task works.
    const isNews = task.state === undefined ? now.isFinal || now.waits : now.taskState !== task.state;
    if (isNews) this.tell(task, now);
    else task.state = now.taskState;
  }

  private tell(task: PushedTask, now: TaskProjection, receivers = [...task.receivers.values()]): void {
    task.state = now.taskState;
    const value = now.task();
    const sent = receivers.map((receiver) => receiver.tell(value));
    if (!now.isFinal) return;
    void Promise.all(sent).then(async () => {
      if (!this.parts.sender.signal.aborted) await this.forget(task);
    });
  }

  /** A task that ended or waits has perhaps done so just before the last server ended. */
  private async catchUp(task: PushedTask): Promise<void> {
    try {
      const now = await this.parts.tasks.get(task.id);
      // Otherwise, a client has opened its session in the meantime.
      if (!task.projection) this.compare(task, now);
    } catch (error) {
      // Its session was deleted.
      if (isTaskNotFound(error)) await this.forget(task);
      else this.parts.log.error(`The task ${task.id} was not read for push notifications`, error);
    }
  }

  private async forget(task: PushedTask): Promise<void> {
    task.receivers.clear();
    await this.save(task);
  }

  private async save(task: PushedTask): Promise<void> {
    const sessionId = sessionOf(task.id);
    const ofSession = this.pushed.get(sessionId);
    if (task.receivers.size === 0 && ofSession?.delete(task.id)) {
      this.taskCount--;
      if (ofSession.size === 0) this.pushed.delete(sessionId);
    }
    await this.parts.store.save(
      task.id,
      [...task.receivers.values()].map(({ target }) => target),
    );
  }

  private async configsOf(taskId: string): Promise<TaskPushNotificationConfig[]> {
    await this.parts.tasks.get(taskId);
    return [...(this.find(taskId)?.receivers.values() ?? [])].map(({ target }) => target.config);
  }

  private find(taskId: string): PushedTask | undefined {
    return this.pushed.get(sessionOf(taskId))?.get(taskId);
  }

  private all(): PushedTask[] {
    return [...this.pushed.values()].flatMap((ofSession) => [...ofSession.values()]);
  }
}

/** One receiver of one task. It gets states in order. If it is slow, it gets the newest state next. */
class Receiver {
  private next: Task | undefined;
  private sending: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    readonly target: PushTarget,
    private readonly sender: PushSender,
  ) {}

  get isSending(): boolean {
    return this.sending !== undefined;
  }

  /** Resolves when nothing is left to send. */
  tell(task: Task): Promise<void> {
    if (this.stopping.signal.aborted) return Promise.resolve();
    this.next = task;
    this.sending ??= this.sendAll();
    return this.sending;
  }

  stop(): void {
    this.next = undefined;
    this.stopping.abort();
  }

  private async sendAll(): Promise<void> {
    for (let task = this.next; task && !this.stopping.signal.aborted; task = this.next) {
      this.next = undefined;
      await this.sender.deliver(this.target, task, this.stopping.signal);
    }
    this.sending = undefined;
  }
}

/** The session of a task. */
function sessionOf(taskId: string): string {
  return taskPlace(taskId)?.sessionId ?? '';
}

import { callText, reportedCall } from './gemini-cli-calls.ts';
import type { OutgoingMessage, RemoteConnection } from './remote-connection.ts';
import { RemoteFailure } from './remote-failure.ts';
import type { ShownPart, TaskProgress } from './task-progress.ts';
import type { TaskIds, TaskPart, TaskUpdate } from './task-update.ts';

export interface TaskPorts {
  readonly show: (parts: readonly ShownPart[]) => void;
  /** The agent has named the task: from here on, it can be asked about it. */
  readonly began: (ids: TaskIds) => void;
  /** Asks the user what the agent wants to know. Returns undefined if nobody answers. */
  readonly ask: (text: string, parts: readonly TaskPart[]) => Promise<readonly TaskPart[] | undefined>;
  readonly newId: () => string;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** How the work on a task ended. */
export type TaskEnd =
  | { readonly kind: 'done'; readonly report: string }
  | { readonly kind: 'failed'; readonly why: string };

/** How often a connection that fails is tried again, one after the other. */
const MOST_RETRIES = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Works on a task until it is over. The message is sent once: after a cut, the agent is asked what became of the task.
 * Without a message, it continues with a task that was begun earlier. Rejects with a `RemoteFailure`, or with the
 * signal's reason.
 */
export async function runTask(
  connection: RemoteConnection,
  first: OutgoingMessage | undefined,
  progress: TaskProgress,
  ports: TaskPorts,
  signal: AbortSignal,
): Promise<TaskEnd> {
  const run = new TaskRun(connection, progress, ports, signal);
  if (first) await run.hear(connection.send(first, signal));
  for (;;) {
    signal.throwIfAborted();
    const { state, ids, saidText } = progress;
    if (progress.isAnswered || progress.endsTurn) return { kind: 'done', report: progress.report };
    if (ids.taskId === undefined) throw notNamed();
    if (progress.isOver) return taskEndOf(progress);
    if (state === 'auth-required')
      throw new RemoteFailure('refused', `It wants somebody to sign in there. ${saidText}`.trim());
    if (state === 'unknown')
      throw new RemoteFailure('unknown-state', 'It reports a state of the task that A2A does not have.');
    if (state === 'input-required') await run.answer();
    else await run.catchUp(ids.taskId);
  }
}

function notNamed(): RemoteFailure {
  const text =
    'The connection ended before it named a task. The message was not sent again, because it may have begun to work.';
  return new RemoteFailure('cut', text);
}

/** The end of a task that is over. */
export function taskEndOf({ state, saidText, report }: TaskProgress): TaskEnd {
  if (state === 'completed')
    return { kind: 'done', report: report.trim() === '' ? 'It is done, and returned nothing.' : report };
  const why = saidText === '' ? '' : ` It says: ${saidText}`;
  const what =
    state === 'rejected'
      ? 'It rejected the task.'
      : `The task ${state === 'failed' ? 'failed' : 'was canceled'} there.`;
  return { kind: 'failed', why: `${what}${why}` };
}

class TaskRun {
  private hasBegun: boolean;
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(
    private readonly connection: RemoteConnection,
    private readonly progress: TaskProgress,
    private readonly ports: TaskPorts,
    private readonly signal: AbortSignal,
  ) {
    this.hasBegun = progress.ids.taskId !== undefined;
  }

  /** Takes updates until the agent waits or is done, or the stream ends. A cut is not a failure if the task is known. */
  async hear(updates: AsyncIterable<TaskUpdate>): Promise<void> {
    try {
      for await (const update of updates) {
        this.take(update);
        if (!isWorking(this.progress)) return;
      }
    } catch (error) {
      if (!isCut(error) || this.progress.ids.taskId === undefined) throw error;
    }
  }

  /** Sends what the user answers. */
  async answer(): Promise<void> {
    const { ids, said, saidText } = this.progress;
    const parts = await this.ports.ask(saidText, said?.parts ?? []);
    this.signal.throwIfAborted();
    if (!parts) {
      const calls = (said?.parts ?? []).flatMap((part) => reportedCall(part) ?? []).map(callText);
      const what = saidText || calls.join(', ');
      const asked = what === '' ? '' : ` It asked: ${what}`;
      throw new RemoteFailure('error', `It asked a question, and nobody answered.${asked}`);
    }
    this.progress.state = 'submitted';
    const message = { id: this.ports.newId(), parts, ids };
    await this.hear(this.connection.send(message, this.signal));
  }

  /** Asks what became of the task, and listens again if it is still being worked on. */
  async catchUp(taskId: string): Promise<void> {
    const before = this.progress.state;
    const update = await this.look(taskId);
    if (!update) return;
    const news = this.take(update);
    if (!isWorking(this.progress)) return;
    if (news > 0 || this.progress.state !== before) this.pauseMs = FIRST_PAUSE_MS;
    const hasFollowed = this.connection.streams && (await this.follow(taskId));
    if (!hasFollowed || isWorking(this.progress)) await this.wait();
  }

  /** Undefined if it can't be reached now. */
  private async look(taskId: string): Promise<TaskUpdate | undefined> {
    try {
      const update = await this.connection.look(taskId, this.signal);
      this.failures = 0;
      return update;
    } catch (error) {
      this.failures += 1;
      if (!isPassing(error) || this.failures > MOST_RETRIES) throw error;
      await this.wait();
      return undefined;
    }
  }

  /** Returns false if it has no stream for the task. */
  private async follow(taskId: string): Promise<boolean> {
    try {
      await this.hear(this.connection.follow(taskId, this.signal));
      return true;
    } catch (error) {
      if (error instanceof RemoteFailure && error.kind === 'error') return false;
      throw error;
    }
  }

  private async wait(): Promise<void> {
    await this.ports.pause(this.pauseMs, this.signal);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  private take(update: TaskUpdate): number {
    const parts = this.progress.take(update);
    const { taskId, contextId = '' } = this.progress.ids;
    if (!this.hasBegun && taskId !== undefined) {
      this.hasBegun = true;
      this.ports.began({ taskId, contextId });
    }
    if (parts.length > 0) this.ports.show(parts);
    return parts.length;
  }
}

function isWorking({ state, isAnswered }: TaskProgress): boolean {
  return !isAnswered && (state === undefined || state === 'submitted' || state === 'working');
}

function isCut(error: unknown): boolean {
  return error instanceof RemoteFailure && error.kind === 'cut';
}

/** The same request may succeed a moment later. */
function isPassing(error: unknown): boolean {
  return error instanceof RemoteFailure && (error.kind === 'cut' || error.kind === 'unreachable');
}

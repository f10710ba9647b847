import type { StreamResponse, Task } from '@a2a-js/sdk';
import type { AgentEvent } from '../protocol/agent/agent-event.ts';
import type { EventFeed } from './event-feed.ts';
import type { TaskProjection } from './task-projection.ts';

/** A task that a client follows. */
export interface FollowedTask {
  /** The task as it is now. */
  task(historyLength?: number): Task;
  /** What changes, until the task ends or waits for an answer, or the client leaves. */
  updates(): AsyncIterable<StreamResponse>;
  close(): void;
}

export interface FollowerParts {
  readonly projection: TaskProjection;
  /** Undefined if the task is not followed further than `missed`. */
  readonly feed?: EventFeed;
  /** What the client has missed. */
  readonly missed?: readonly AgentEvent[];
  /** Whether a task that waits already is followed until it has been answered. */
  readonly staysWhileWaiting?: boolean;
  readonly release?: () => void;
}

export class TaskFollower implements FollowedTask {
  constructor(private readonly parts: FollowerParts) {}

  task(historyLength?: number): Task {
    return this.parts.projection.task(historyLength);
  }

  async *updates(): AsyncIterable<StreamResponse> {
    const { projection, feed, missed = [], staysWhileWaiting = false } = this.parts;
    for (const event of missed) yield* projection.take(event);
    yield* projection.recheck();
    if (!feed || projection.isFinal || (projection.waits && !staysWhileWaiting)) return;
    for (let event = await feed.next(); event; event = await feed.next()) {
      const updates = projection.take(event);
      yield* updates;
      if (projection.isFinal || (projection.waits && updates.length > 0)) return;
    }
  }

  close(): void {
    this.parts.feed?.close();
    this.parts.release?.();
  }
}

/** A task that cannot be followed. */
export function settledTask(task: Task): FollowedTask {
  return { task: () => task, updates: async function* () {}, close: () => undefined };
}

import type { CardSignIn } from './agent-logins.ts';
import type { TaskIds, TaskPart, TaskUpdate } from './task-update.ts';

export interface OutgoingMessage {
  readonly id: string;
  readonly parts: readonly TaskPart[];
  /** The task that it answers, or the conversation that it continues. */
  readonly ids: Partial<TaskIds>;
}

/** An agent whose card was read. Failures are `RemoteFailure`s. */
export interface RemoteConnection {
  readonly card: CardFacts;
  /** Whether it reports while it works. Otherwise, it has to be asked. */
  readonly streams: boolean;
  /** Sends a message, exactly once. Without streams, the only update is what the task is at that moment. */
  send(message: OutgoingMessage, signal: AbortSignal): AsyncGenerator<TaskUpdate>;
  /** The task as it is, and what follows. */
  follow(taskId: string, signal: AbortSignal): AsyncGenerator<TaskUpdate>;
  /** The task as it is. */
  look(taskId: string, signal: AbortSignal): Promise<TaskUpdate>;
  cancel(taskId: string, signal: AbortSignal): Promise<void>;
}

/** What people should know about an agent before they send something there. */
export interface CardFacts {
  readonly hash: string;
  /** Where requests go. */
  readonly url: string;
  readonly provider: string | undefined;
  /** The authorization server that the card names, if any. */
  readonly signIn?: CardSignIn | undefined;
}

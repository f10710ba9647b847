/** What a remote agent reports about a task, in one form for all versions and transports. */
export type TaskUpdate =
  | {
      readonly kind: 'task';
      readonly ids: TaskIds;
      readonly status: TaskStatus;
      readonly artifacts: readonly TaskArtifact[];
      readonly history: readonly TaskMessage[];
    }
  | { readonly kind: 'status'; readonly ids: TaskIds; readonly status: TaskStatus }
  | {
      readonly kind: 'artifact';
      readonly ids: TaskIds;
      readonly artifact: TaskArtifact;
      /** Undefined if nobody knows. */
      readonly append: boolean | undefined;
    }
  /** An answer without a task. */
  | { readonly kind: 'message'; readonly ids: Partial<TaskIds>; readonly message: TaskMessage };

export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

export type TaskState =
  | 'submitted'
  | 'working'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'
  | 'input-required'
  | 'auth-required'
  | 'unknown';

export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: TaskMessage | undefined;
}

export interface TaskMessage {
  readonly id: string;
  readonly isOfAgent: boolean;
  readonly parts: readonly TaskPart[];
}

export interface TaskArtifact {
  readonly id: string;
  readonly name: string;
  readonly parts: readonly TaskPart[];
}

export type TaskPart =
  /** `isThought` marks what is not part of the result. */
  | { readonly kind: 'text'; readonly text: string; readonly isThought: boolean }
  | { readonly kind: 'data'; readonly data: unknown; readonly metadata: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly mediaType: string;
      readonly url?: string;
      /** As base64. */
      readonly bytes?: string;
    };

/** The remote agent does nothing more in these states until it is asked again. */
export function isOver(state: TaskState): boolean {
  return state === 'completed' || state === 'failed' || state === 'canceled' || state === 'rejected';
}

/** A closed set of reasons for failures. Code decides by `kind`, never by matching a message. */
export type ProblemKind =
  | 'no-credential'
  | 'bad-credential'
  | 'forbidden'
  | 'bad-configuration'
  | 'bad-input'
  | 'message-too-large'
  /** The conversation does not fit into the model's window. */
  | 'context-full'
  | 'not-waiting'
  | 'not-found'
  | 'session-locked'
  | 'session-unreadable'
  | 'log-damaged'
  | 'not-saved'
  /** Not a failure: saving works again. */
  | 'saved-again'
  | 'blocked-by-hook'
  /** A hook failed. */
  | 'hook'
  /** Not a failure: a definition of a folder or an extension has no effect until it is approved. */
  | 'waits'
  | 'loop'
  | 'model-not-found'
  | 'quota'
  | 'unreachable'
  | 'not-gemini'
  | 'stream-cut'
  | 'bad-stream'
  | 'empty-answer'
  | 'server'
  | 'rejected-request'
  /** The model, or a filter of its service, refused to answer. */
  | 'refused-by-model'
  | 'runtime-missing'
  | 'internal';

/**
 * Actions that a surface can offer with the message: the panel has a button for each, the command line a sentence
 * (headless/problem-lines.ts). Therefore details do not mention them.
 */
export type ProblemAction =
  | 'retry'
  /** Tools already ran for the message; their work is not repeated. */
  | 'retry-from-here'
  | 'compress'
  | 'new-session'
  | 'open-copy'
  | 'set-api-key'
  | 'sign-in'
  | 'switch-model'
  | 'open-settings'
  | 'review-hooks'
  | 'review-mcp-servers'
  | 'review-agents'
  | 'open-policies'
  | 'keep-going'
  | 'stop-detecting'
  | 'show-log';

/** What happened and what was kept, in words that fit every surface. The actions say what to do next. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly ProblemAction[];
}

/** An error that carries a problem to a surface. `cause` is for the log. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly problem: Problem,
    options?: { readonly cause?: unknown },
  ) {
    super(problemText(problem), options);
  }

  /** Compares the name, not the class: each bundle has a copy of this class, and problems travel between bundles. */
  static is(error: unknown, kind?: ProblemKind): error is ProblemError {
    if (!(error instanceof Error) || error.name !== 'ProblemError' || !('problem' in error)) return false;
    return kind === undefined || (error as ProblemError).problem.kind === kind;
  }
}

/** The gRPC status names that Google APIs use. */
export type ErrorStatus =
  | 'INVALID_ARGUMENT'
  | 'FAILED_PRECONDITION'
  | 'OUT_OF_RANGE'
  | 'UNAUTHENTICATED'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ABORTED'
  | 'ALREADY_EXISTS'
  | 'RESOURCE_EXHAUSTED'
  | 'CANCELLED'
  | 'UNKNOWN'
  | 'INTERNAL'
  | 'DATA_LOSS'
  | 'UNIMPLEMENTED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED';

/** The status of an `error` event. */
export function problemStatus(kind: ProblemKind): ErrorStatus {
  return STATUS_OF[kind];
}

const STATUS_OF: Readonly<Record<ProblemKind, ErrorStatus>> = {
  'no-credential': 'UNAUTHENTICATED',
  'bad-credential': 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  'bad-configuration': 'FAILED_PRECONDITION',
  'bad-input': 'INVALID_ARGUMENT',
  'message-too-large': 'INVALID_ARGUMENT',
  'context-full': 'OUT_OF_RANGE',
  'not-waiting': 'FAILED_PRECONDITION',
  'not-found': 'NOT_FOUND',
  'session-locked': 'ABORTED',
  'session-unreadable': 'DATA_LOSS',
  'log-damaged': 'DATA_LOSS',
  'not-saved': 'RESOURCE_EXHAUSTED',
  'saved-again': 'RESOURCE_EXHAUSTED',
  'blocked-by-hook': 'PERMISSION_DENIED',
  hook: 'FAILED_PRECONDITION',
  waits: 'FAILED_PRECONDITION',
  loop: 'INTERNAL',
  'model-not-found': 'NOT_FOUND',
  quota: 'RESOURCE_EXHAUSTED',
  unreachable: 'UNAVAILABLE',
  'not-gemini': 'UNIMPLEMENTED',
  'stream-cut': 'UNAVAILABLE',
  'bad-stream': 'DATA_LOSS',
  'empty-answer': 'UNKNOWN',
  server: 'INTERNAL',
  'rejected-request': 'INVALID_ARGUMENT',
  'refused-by-model': 'FAILED_PRECONDITION',
  'runtime-missing': 'FAILED_PRECONDITION',
  internal: 'INTERNAL',
};

export const PROBLEM_KINDS: readonly string[] = Object.keys(STATUS_OF);

/** What happened and what was kept in one line, as in the message of an `error` event. */
export function problemText({ title, detail }: Problem): string {
  return detail === '' ? `${title}.` : `${title}. ${detail}`;
}

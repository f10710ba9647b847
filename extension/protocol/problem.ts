/** A closed set of reasons why something did not work. Code decides by `kind`, never by matching a message. */
export type ProblemKind =
  | 'no-credential'
  | 'bad-credential'
  | 'forbidden'
  | 'bad-configuration'
  | 'bad-input'
  | 'message-too-large'
  | 'model-not-found'
  | 'quota'
  | 'unreachable'
  | 'not-gemini'
  | 'stream-cut'
  | 'bad-stream'
  | 'empty-answer'
  | 'server'
  | 'rejected-request'
  | 'runtime-missing'
  | 'internal';

/** What a surface can offer next to the message. Texts of the buttons are in contract.md. */
export type ProblemAction = 'retry' | 'set-api-key' | 'switch-model' | 'open-settings' | 'show-log';

/** What happened, what was kept, what to do next: the whole text a user sees. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly ProblemAction[];
}

/** A problem on its way to a surface. `cause` is for the log. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly problem: Problem,
    options?: { readonly cause?: unknown },
  ) {
    super(`${problem.title}. ${problem.detail}`, options);
  }

  static is(error: unknown, kind?: ProblemKind): error is ProblemError {
    return error instanceof ProblemError && (kind === undefined || error.problem.kind === kind);
  }
}

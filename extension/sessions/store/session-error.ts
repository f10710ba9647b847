/** A closed set of reasons why a stored session cannot be had. Code decides by `kind`. */
export type SessionErrorKind = 'bad-id' | 'unknown-session' | 'newer-version' | 'locked' | 'exists';

/** The message is what the user reads: what happened, what is kept, what to do. */
export class SessionError extends Error {
  override readonly name = 'SessionError';

  constructor(
    readonly kind: SessionErrorKind,
    message: string,
  ) {
    super(message);
  }

  /** By name, not by class: each bundle has a copy of this class. */
  static is(error: unknown, kind?: SessionErrorKind): error is SessionError {
    if (!(error instanceof Error) || error.name !== 'SessionError' || !('kind' in error)) return false;
    return kind === undefined || error.kind === kind;
  }
}

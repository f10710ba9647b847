/** The reasons why a stored session is not available. Code decides by `kind`. */
export type SessionErrorKind = 'bad-id' | 'unknown-session' | 'newer-version' | 'locked' | 'exists';

/** An error whose message is for the user: what happened, what is kept, and what to do. */
export class SessionError extends Error {
  override readonly name = 'SessionError';

  constructor(
    readonly kind: SessionErrorKind,
    message: string,
  ) {
    super(message);
  }

  /** Checks the name instead of the class, because each bundle has a copy of this class. */
  static is(error: unknown, kind?: SessionErrorKind): error is SessionError {
    if (!(error instanceof Error) || error.name !== 'SessionError' || !('kind' in error)) return false;
    return kind === undefined || error.kind === kind;
  }
}

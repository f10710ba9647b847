import { namedFailure } from '../files/file-failure.ts';

/** Why a remote agent could not be used, or did not finish. */
export type RemoteFailureKind =
  /** The address has no agent card, or what it has is not one. */
  | 'card'
  /** The card is not the one that the user approved. */
  | 'card-changed'
  /** It speaks no version or transport that Gantry speaks. */
  | 'version'
  | 'credentials'
  /** The user has to sign in. */
  | 'sign-in'
  /** It rejects the credentials, or requires some. */
  | 'refused'
  | 'redirect'
  | 'unreachable'
  /** It answers with something that is not A2A, such as a web page. */
  | 'not-a2a'
  /** It answers with an error of the protocol. */
  | 'error'
  /** The connection was cut before the task was over. */
  | 'cut'
  /** It keeps the connection open and sends nothing. */
  | 'silent'
  | 'too-large'
  | 'endless'
  | 'unknown-state';

/** The message is a complete sentence for the model. It names the address, but never a credential. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';

  constructor(
    readonly kind: RemoteFailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** In English, for the model. */
export function remoteFailureText(error: unknown): string {
  return error instanceof RemoteFailure ? error.message : namedFailure(error);
}

import type { ApiError } from './api-error.ts';

/** How a request to a model can go wrong, as seen on the wire. What the user is told about it is in `model-problem.ts`. */
export type ModelFailure =
  /** No HTTP answer came; `code` is Node's or undici's, e.g. ECONNREFUSED. */
  | { readonly type: 'no-answer'; readonly code: string }
  /** The service said no, with a status or with an error inside the stream. */
  | { readonly type: 'refused'; readonly status: number; readonly error?: ApiError }
  /** What came is for people or in another format: a sign-in page, a redirect, a wrong address. */
  | { readonly type: 'not-gemini'; readonly status: number; readonly what: string }
  /** The stream ended before the answer did. `silent`: nothing came for so long that it was given up. */
  | { readonly type: 'cut'; readonly silent?: boolean }
  /** A whole event that is not an answer of the API. */
  | { readonly type: 'unreadable' }
  /** The stream ended well and said nothing. */
  | { readonly type: 'empty'; readonly finishReason?: string; readonly thoughtsOnly?: boolean }
  /** The model gave up in the middle, e.g. on a call it could not write down. */
  | { readonly type: 'broken-off'; readonly finishReason: string }
  | { readonly type: 'blocked'; readonly part: 'message' | 'answer'; readonly reason: string };

/** On its way from the transport to the generator, which knows what had arrived. */
export class ModelFailureError extends Error {
  override readonly name = 'ModelFailureError';

  constructor(
    readonly failure: ModelFailure,
    /** For the log only, free of secrets. */
    evidence: string,
    options?: { readonly cause?: unknown },
  ) {
    super(`${failure.type}: ${evidence}`, options);
  }
}

/** What was seen on the wire, somewhere in the causes of an error. */
export function failureIn(error: unknown): ModelFailure | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    if (inner instanceof ModelFailureError) return inner.failure;
  }
  return undefined;
}

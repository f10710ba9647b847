import type { ApiError } from './api-error.ts';

/** The ways in which a request to a model can fail, as seen on the wire. `model-problem.ts` words them for the user. */
export type ModelFailure =
  /** No HTTP answer came; `code` is Node's or undici's, e.g. ECONNREFUSED. */
  | { readonly type: 'no-answer'; readonly code: string }
  /** The service rejected the request, with a status or with an error inside the stream. */
  | { readonly type: 'refused'; readonly status: number; readonly error?: ApiError }
  /** The response is a page for people or has another format: a sign-in page, a redirect, a wrong address. */
  | { readonly type: 'not-gemini'; readonly status: number; readonly what: string }
  /** The stream ended before the answer did. `silent`: the request timed out because nothing arrived. */
  | { readonly type: 'cut'; readonly silent?: boolean }
  /** A complete event that is not a valid answer of the API. */
  | { readonly type: 'unreadable' }
  /** The stream ended normally, but without an answer. */
  | { readonly type: 'empty'; readonly finishReason?: string; readonly thoughtsOnly?: boolean }
  /** The model stopped in the middle, e.g. on a malformed call. */
  | { readonly type: 'broken-off'; readonly finishReason: string }
  | { readonly type: 'blocked'; readonly part: 'message' | 'answer'; readonly reason: string };

/** Carries a failure from the transport to the generator, which knows how much of the answer had arrived. */
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

/** Finds the failure seen on the wire in an error or its causes. */
export function failureIn(error: unknown): ModelFailure | undefined {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
    if (inner instanceof ModelFailureError) return inner.failure;
  }
  return undefined;
}

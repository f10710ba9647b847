import type { Content } from '@google/genai';

/** A question to a model that is no part of the conversation. */
export interface UtilityCall {
  /** An alias of the model configuration, such as `classifier`. */
  readonly alias: string;
  /** What it is for, in the log. */
  readonly purpose: string;
  readonly instruction: string;
  readonly contents: readonly Content[];
  /** Fewer attempts than usual. */
  readonly attempts?: number;
  readonly timeoutMs?: number;
}

/** Asks through the same pipeline as the conversation: the same health, retries, fallbacks, limits and costs. Rejects with a `ProblemError`. */
export interface UtilityModel {
  text(call: UtilityCall, signal: AbortSignal): Promise<string>;
  /** The answer parsed as JSON; `schema` is the JSON Schema the model is given. */
  json(
    call: UtilityCall & { readonly schema: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ): Promise<unknown>;
}

import type { Content, GenerateContentConfig } from '@google/genai';

/** A question to a model that is not part of the conversation. */
export interface UtilityCall {
  /** An alias of the model configuration, such as `classifier`, or a model. */
  readonly alias: string;
  /** Overrides the alias's configuration, for the model that is finally asked. */
  readonly config?: (model: string) => GenerateContentConfig;
  /** The purpose of the call, worded as the beginning of a sentence for people: "A commit message". */
  readonly purpose: string;
  readonly instruction: string;
  readonly contents: readonly Content[];
  /** Limits the number of attempts further than usual. */
  readonly attempts?: number;
  readonly timeoutMs?: number;
}

/**
 * Sends questions through the same pipeline as the conversation, with the same health, retries, fallbacks, limits and
 * costs. Rejects with a `ProblemError`.
 */
export interface UtilityModel {
  text(call: UtilityCall, signal: AbortSignal): Promise<string>;
  /** Parses the answer as JSON; `schema` is the JSON Schema for the model. */
  json(
    call: UtilityCall & { readonly schema: Readonly<Record<string, unknown>> },
    signal: AbortSignal,
  ): Promise<unknown>;
}

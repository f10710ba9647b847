import type { Content, GenerateContentConfig } from '@google/genai';

/** A question to a model that is no part of the conversation. */
export interface UtilityCall {
  /** An alias of the model configuration, such as `classifier`, or a model. */
  readonly alias: string;
  /** Over what the alias says, for the model that is asked in the end. */
  readonly config?: (model: string) => GenerateContentConfig;
  /** What it is for, as the beginning of a sentence for people: "A commit message". */
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

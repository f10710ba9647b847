import type { GenerateContentConfig } from '@google/genai';

/** What a request asks for, before the model that answers is resolved. */
export interface ModelKey {
  /** `auto`, an alias such as `flash` or `classifier`, or the id of a model. */
  readonly model: string;
  /** The name of the subagent that sends the request. Absent for the main agent. */
  readonly scope?: string;
  /** Whether the request is part of a conversation, as opposed to a helper such as the classifier. */
  readonly isChat?: boolean;
  /** Whether an earlier attempt failed. */
  readonly isRetry?: boolean;
}

/** One model, with the configuration for requests to it. */
export interface ModelConfig {
  /** A concrete id. */
  readonly model: string;
  readonly config: GenerateContentConfig;
}

/** Aliases and overrides, resolved again for every attempt. */
export interface ModelConfigs {
  /** Throws a `ProblemError` if an alias does not resolve to a model. */
  resolve(key: ModelKey): ModelConfig;
}

/** The known state of the models, shared by all sessions of a service. */
export interface ModelHealth {
  isAvailable(model: string): boolean;
}

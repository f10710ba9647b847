import type { GenerateContentConfig } from '@google/genai';

/** What a request asks for, before it is known which model answers. */
export interface ModelKey {
  /** `auto`, an alias such as `flash` or `classifier`, or the id of a model. */
  readonly model: string;
  /** Who asks: the name of a subagent. Absent for the main agent. */
  readonly scope?: string;
  /** It is part of a conversation, as opposed to a helper such as the classifier. */
  readonly isChat?: boolean;
  /** An attempt after one that failed. */
  readonly isRetry?: boolean;
}

/** One model, and what is sent along with requests to it. */
export interface ModelConfig {
  /** A concrete id. */
  readonly model: string;
  readonly config: GenerateContentConfig;
}

/** Aliases and overrides, resolved again for every attempt. */
export interface ModelConfigs {
  /** Throws a `ProblemError` for an alias that leads nowhere. */
  resolve(key: ModelKey): ModelConfig;
}

/** What is known of the models' state, shared by all sessions of a service. */
export interface ModelHealth {
  isAvailable(model: string): boolean;
}

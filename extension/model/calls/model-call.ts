import type { Content, GenerateContentConfig } from '@google/genai';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { AnswerChunk, GenerateRequest, ResolvedModel } from '../content-generator.ts';
import type { ModelConfig, ModelKey } from '../model-key.ts';

/** A request for a model that is not chosen yet. */
export interface ModelCall {
  readonly key: ModelKey;
  readonly contents: readonly Content[];
  /** Reduces the contents to what fits this model. Throws a `ProblemError` if they are too large. */
  readonly fit?: (model: string) => readonly Content[];
  /** The configuration of the request, for the model that is asked. */
  readonly config: (chosen: ModelConfig) => GenerateContentConfig;
  readonly switching: Switching;
  /** Called with the request of each attempt as it is sent. */
  readonly onSend?: GenerateRequest['onSend'];
  /** Overrides the usual number of attempts. */
  readonly attempts?: number;
  /** The time, by the host's clock, after which there are no more retries. */
  readonly deadline?: number;
}

/** What may happen if the model does not answer. */
export interface Switching {
  /** Whether Gantry chooses the model. */
  readonly auto: boolean;
  /** Whether the user accepts answers of this model only. */
  readonly alone?: () => boolean;
  /** Whether to switch models without asking the user. */
  silent(): boolean;
  /** Asks the user. Absent if there is no user; then only silent switches are possible. */
  readonly ask?: (choice: SwitchQuestion, signal: AbortSignal) => Promise<SwitchAnswer>;
  /** The conversation's model, which may replace the model of a call outside the conversation. */
  readonly active?: string;
}

export interface SwitchQuestion {
  readonly failed: string;
  /** Undefined if there is no other model to offer. */
  readonly other?: string;
  readonly problem: Problem;
  /** Google's quota is used up, so a link to the page about quotas helps. */
  readonly isQuota: boolean;
  /** The page that Google names for a higher limit, if this one does not end soon. */
  readonly upgradePage?: string;
}

/** Retry the same model once, switch to the other model from now on, or neither. */
export type SwitchAnswer = 'retry_once' | 'retry_always' | 'stop';

/** The events of a call, in order. */
export type CallEvent =
  /** A request is about to be sent. */
  | { readonly type: 'attempt'; readonly resolved: ResolvedModel }
  | { readonly type: 'chunk'; readonly chunk: AnswerChunk }
  /** The chunks of this attempt are invalid; another attempt follows. */
  | { readonly type: 'retracted' }
  | WaitingEvent
  | SwitchedEvent
  | { readonly type: 'done'; readonly model: string; readonly attempts: number };

export interface WaitingEvent {
  readonly type: 'waiting';
  readonly model: string;
  /** The number of the next attempt. */
  readonly attempt: number;
  readonly of: number;
  readonly ms: number;
  /** What went wrong, worded as the title of a problem. */
  readonly why: string;
}

export interface SwitchedEvent {
  readonly type: 'switched';
  readonly from: string;
  readonly to: string;
  readonly why: string;
  /** Whether the user chose the switch, for the rest of the session. */
  readonly chosen: boolean;
}

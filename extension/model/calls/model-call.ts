import type { Content, GenerateContentConfig } from '@google/genai';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { AnswerChunk, ResolvedModel } from '../content-generator.ts';
import type { ModelConfig, ModelKey } from '../model-key.ts';

/** Something to be asked of a model, whichever it will be. */
export interface ModelCall {
  readonly key: ModelKey;
  readonly contents: readonly Content[];
  /** What of them is sent to this model. Throws a `ProblemError` when they are too much for it. */
  readonly fit?: (model: string) => readonly Content[];
  /** What goes along with it, for the model that will be asked. */
  readonly config: (chosen: ModelConfig) => GenerateContentConfig;
  readonly switching: Switching;
  /** Fewer than usual. */
  readonly attempts?: number;
  /** By the clock: there is no waiting beyond it. */
  readonly deadline?: number;
}

/** What may happen when the model does not answer. */
export interface Switching {
  /** The user left the choice of the model to Gantry. */
  readonly auto: boolean;
  /** The user wants an answer of this model or none. */
  readonly alone?: () => boolean;
  /** Nobody is asked before another model is. */
  silent(): boolean;
  /** Asks the user. Absent where there is none; then nothing but silent switches happens. */
  readonly ask?: (choice: SwitchQuestion, signal: AbortSignal) => Promise<SwitchAnswer>;
  /** For calls beside a conversation: the model of that, which may help out. */
  readonly active?: string;
}

export interface SwitchQuestion {
  readonly failed: string;
  /** Undefined when there is no other model to offer. */
  readonly other?: string;
  readonly problem: Problem;
  /** Google's quota was used up: a page about it can help. */
  readonly isQuota: boolean;
}

/** The same model once more, the other one from now on, or neither. */
export type SwitchAnswer = 'retry_once' | 'retry_always' | 'stop';

/** What happens to a call, in order. */
export type CallEvent =
  /** A request is about to be sent. */
  | { readonly type: 'attempt'; readonly resolved: ResolvedModel }
  | { readonly type: 'chunk'; readonly chunk: AnswerChunk }
  /** What came of this attempt does not count; another one follows. */
  | { readonly type: 'retracted' }
  | WaitingEvent
  | SwitchedEvent
  /** The answer is complete. */
  | { readonly type: 'done'; readonly model: string; readonly attempts: number };

export interface WaitingEvent {
  readonly type: 'waiting';
  readonly model: string;
  /** The one that follows. */
  readonly attempt: number;
  readonly of: number;
  readonly ms: number;
  /** What went wrong, as the title of a problem. */
  readonly why: string;
}

export interface SwitchedEvent {
  readonly type: 'switched';
  readonly from: string;
  readonly to: string;
  readonly why: string;
  /** The user wanted it so, for the rest of the session. */
  readonly chosen: boolean;
}

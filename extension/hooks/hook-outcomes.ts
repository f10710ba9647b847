import type { ToolConfig } from './aggregate.ts';

/** What hooks make of an event, in the words of whoever fires it. */

export type BeforeToolOutcome =
  | { readonly kind: 'go'; readonly args?: Readonly<Record<string, unknown>>; readonly ask?: string }
  | Refusal;

export type AfterToolOutcome =
  | {
      readonly kind: 'go';
      /** Safe to stand between tags. */
      readonly context?: string;
      readonly tail?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
    }
  | Refusal;

export type BeforeAgentOutcome = { readonly kind: 'go'; readonly context?: string } | Refusal;

export type AfterAgentOutcome = ({ readonly kind: 'go' } | Refusal) & {
  /** What was said so far is not sent to the model any more. */
  readonly clearContext: boolean;
};

export type BeforeModelOutcome =
  /** `request` as the hook gave it: only what it changes. */
  | { readonly kind: 'go'; readonly request?: unknown }
  /** `texts` are the answer instead of the model's. */
  | { readonly kind: 'deny'; readonly reason: string; readonly texts?: readonly string[] }
  | { readonly kind: 'stop'; readonly reason: string };

export type AfterModelOutcome =
  /** `texts` take the place of the texts of this piece. */
  { readonly kind: 'go'; readonly texts?: readonly string[] } | Refusal;

export type ToolSelection = ToolConfig | undefined;

export type Refusal =
  | { readonly kind: 'deny'; readonly reason: string }
  /** The run ends. */
  | { readonly kind: 'stop'; readonly reason: string };

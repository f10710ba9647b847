import type { RuleDraft } from '../policy/policy-types.ts';
import type { Tool, ToolResult } from '../ports/tool.ts';
import type { Grant } from '../protocol/agent/approval.ts';
import type { Ruling, ToolCall } from './tool-call.ts';

/** Decides what may run, by the current rules of the session. */
export interface PolicyPort {
  decide(call: ToolCall, tool: Tool): Promise<Ruling>;
  /** Requires approval if one of the files to be written is protected. No rule can allow those. */
  gateOn(paths: readonly string[]): Promise<Ruling | undefined>;
  /** The grants that "for this session" and "always" can offer, the narrowest first. */
  grantsFor(call: ToolCall, tool: Tool): Promise<readonly OfferedGrant[]>;
  allowForSession(rules: readonly RuleDraft[]): void;
  /** Saves the rules where the user can see and delete them. */
  remember(rules: readonly RuleDraft[], scope: 'workspace' | 'user'): Promise<void>;
}

export interface OfferedGrant extends Grant {
  readonly rules: readonly RuleDraft[];
}

/** Hooks around a call. They can restrict what the policy says, but never widen it. */
export interface ToolHooks {
  /** Runs before the policy is asked. */
  before(call: ToolCall, tool: Tool, signal: AbortSignal): Promise<BeforeTool>;
  /** Runs before an approval is requested. The outcome of the hook changes nothing. */
  asking(call: ToolCall, message: string, signal: AbortSignal): Promise<void>;
  /** Runs after the tool, for results and for errors that the tool reported. */
  after(call: ToolCall, tool: Tool, result: ToolResult, signal: AbortSignal): Promise<AfterTool>;
}

type BeforeTool =
  | {
      readonly kind: 'go';
      /** Arguments that replace those of the model. */
      readonly args?: Readonly<Record<string, unknown>>;
      /** The hook's message. If set, approval is required even if the rules allow the call. */
      readonly ask?: string;
    }
  | { readonly kind: 'deny'; readonly reason: string }
  /** The call is refused and the run ends. */
  | { readonly kind: 'stop'; readonly reason: string };

export type AfterTool =
  | {
      readonly kind: 'go';
      /** Text that is added to the result for the model, marked as coming from a hook. */
      readonly context?: string;
      /** Another call that replaces this one; it is reviewed like any other. */
      readonly tail?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
    }
  | { readonly kind: 'deny'; readonly reason: string }
  | { readonly kind: 'stop'; readonly reason: string };

export const NO_HOOKS: ToolHooks = {
  before: () => Promise.resolve({ kind: 'go' }),
  asking: () => Promise.resolve(),
  after: () => Promise.resolve({ kind: 'go' }),
};

/** Resolves the placeholders that replace secrets for the model. */
export interface SecretsPort {
  /** Undefined for a call without placeholders. */
  meantBy(call: ToolCall, tool: Tool): Promise<MeantByCall | undefined>;
}

type MeantByCall = { readonly meant: SecretsInCall } | { readonly refused: string };

/** A call that gets secrets which the model does not have. It always requires approval. */
export interface SecretsInCall {
  /** The arguments with the secrets. They are for the tool alone and are never recorded. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Names the secrets in the approval request. */
  readonly why: string;
  /** Replaces the secrets with placeholders in content that is shown. */
  hide<Value>(value: Value): Value;
}

export const NO_SECRETS: SecretsPort = { meantBy: () => Promise.resolve(undefined) };

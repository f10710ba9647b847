import type { Tool } from '../ports/tool.ts';
import type { ToolCall } from './tool-call.ts';

/** Resolves the placeholders that replace secrets for the model. */
export interface SecretsPort {
  /** Undefined for a call without any. */
  meantBy(call: ToolCall, tool: Tool): Promise<MeantByCall | undefined>;
}

export type MeantByCall = { readonly meant: SecretsInCall } | { readonly refused: string };

/** A call that gets secrets which the model does not have. It always requires approval. */
export interface SecretsInCall {
  /** With the secrets. They are for the tool alone and are never recorded. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Which secrets, for the person who is asked. */
  readonly why: string;
  /** What is shown, with placeholders in place of the secrets. */
  hide<Value>(value: Value): Value;
}

export const NO_SECRETS: SecretsPort = { meantBy: () => Promise.resolve(undefined) };

import type { Verdict } from '../policy/policy-types.ts';
import { type ApprovedCall, type Tool, type ToolResult, toolError } from '../ports/tool.ts';
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The arguments, parsed with the tool's schema. */
export type ToolArgs = Parameters<Tool['execute']>[0];

export type Reviewed =
  | {
      readonly go: true;
      /** Includes the changes of hooks and of the user. */
      readonly call: ToolCall;
      readonly args: ToolArgs;
      readonly approved?: ApprovedCall;
      readonly ruling: Ruling;
      /** Whether a person approved it, and not only a rule. */
      readonly byPerson: boolean;
    }
  | { readonly go: false; readonly result: ToolResult; readonly ruling?: Ruling };

export type Ruling = Verdict;

export function cancelled(): ToolResult {
  return toolError('cancelled', 'Cancelled: the user stopped this before it finished.');
}

export function badArguments(name: string, issues: readonly { path: PropertyKey[]; message: string }[]): ToolResult {
  const problems = issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return toolError('invalid_tool_params', `The arguments of ${name} are not valid. ${problems.join('; ')}.`);
}

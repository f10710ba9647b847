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

interface ArgumentIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Lists the parameters if one is missing or unknown, because models mix up the parameters of similar tools. */
export function badArguments(
  { name, schema, parameters }: Pick<Tool, 'name' | 'schema' | 'parameters'>,
  issues: readonly ArgumentIssue[],
): ToolResult {
  const problems = issues.map(({ path, message }) => {
    const text = MISSING.test(message) ? 'is missing' : message;
    return path.length === 0 ? text : `${path.join('.')}: ${text}`;
  });
  const isMixedUp = issues.some(({ code, path, message }) => {
    return code === 'unrecognized_keys' || (path.length === 1 && MISSING.test(message));
  });
  const known = Object.entries(schema.shape).map(([key, of]) => (of.safeParse(undefined).success ? `${key}?` : key));
  const list = parameters || !isMixedUp ? '' : ` Parameters ("?" is optional): ${known.join(', ')}.`;
  return toolError('invalid_tool_params', `The arguments of ${name} are not valid. ${problems.join('; ')}.${list}`);
}

const MISSING = /received undefined$/;

import { isObject } from '../base/objects.ts';
import { qualifiedName } from '../policy/rules/known-tools.ts';
import { type ClientTool, type Tool, type ToolResult, toolError } from '../ports/tool.ts';
import { type ApprovalAnswer, CLIENT_SERVER } from '../protocol/agent/approval.ts';
import { oneLine } from '../text/one-line.ts';
import { asUntrusted, withoutTags } from '../text/untrusted.ts';
import { acceptedSchema } from './accepted-schema.ts';
import { argumentSchema } from './argument-check.ts';
import { argumentLine } from './mcp-tool.ts';
import { toolResultOf } from './tool-result.ts';

/** The tools of the program that drives a session, for rules a server of its own. */
export class ClientTools {
  private known: readonly ClientTool[] = [];
  private made: readonly Tool[] = [];

  constructor(private readonly given: () => readonly ClientTool[]) {}

  /** Returns the same array as long as nothing has changed. */
  tools(): readonly Tool[] {
    const given = this.given();
    if (given !== this.known) this.made = given.map(createClientTool);
    this.known = given;
    return this.made;
  }
}

/**
 * A tool that runs in the client: a call is a question that the client answers with the result. The question is in the
 * log, so it can be answered after a restart of either program.
 */
function createClientTool({ name, description, parameters }: ClientTool): Tool {
  return {
    name: qualifiedName(CLIENT_SERVER, name),
    displayName: oneLine(name, 60),
    kind: 'other',
    description: withoutTags(description),
    schema: argumentSchema(parameters),
    parameters: acceptedSchema(parameters),
    server: CLIENT_SERVER,
    longOutput: true,
    alwaysAsks: true,
    runsInClient: true,
    describe: (args) => argumentLine(args),
    propose: (args) => {
      const written = JSON.stringify(args, undefined, 2);
      const details = { type: 'mcp', server: CLIENT_SERVER, tool: name, args: written, runsInClient: true } as const;
      return Promise.resolve({ proposal: { kind: 'details', details } });
    },
    execute: (_, { approved }) => Promise.resolve(resultOf(name, approved?.answer)),
  };
}

function resultOf(name: string, answer: Partial<ApprovalAnswer> = {}): ToolResult {
  const { error } = answer;
  if (error !== undefined) return toolError('mcp_tool_error', asUntrusted(error || `${name} failed.`));
  if (!('result' in answer)) return toolError('mcp_tool_error', `${name} was allowed, but nobody gave its result.`);
  const { result } = answer;
  // The results of MCP's tools are known to most clients. Anything else is taken as it is.
  return toolResultOf(isObject(result) && Array.isArray(result['content']) ? result : { toolResult: result });
}

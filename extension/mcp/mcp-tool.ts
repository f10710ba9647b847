import { extensionLabel } from '../ports/extension-folder.ts';
import { type Tool, type ToolContext, type ToolResult, toolError } from '../ports/tool.ts';
import { oneLine } from '../text/one-line.ts';
import { withoutTags } from '../text/untrusted.ts';
import { acceptedSchema } from './accepted-schema.ts';
import { argumentSchema } from './argument-check.ts';
import type { Progress, RequestFailure, ServerTool } from './connection-types.ts';
import type { McpServer } from './mcp-server.ts';
import { askThrough } from './server-question.ts';
import { toolResultOf } from './tool-result.ts';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
const MAX_SUBJECT = 200;

/**
 * A server's tool for the session. Its kind is always `other`, whatever the server says: hints are only for rules, and
 * make a read-only tool available in plan mode after asking. They never let it run without asking.
 */
export function createMcpTool(
  name: string,
  server: Pick<McpServer, 'name' | 'callTool' | 'definition'>,
  tool: ServerTool,
): Tool {
  const { extension } = server.definition.origin;
  const whose = extension === undefined ? '' : `, ${extensionLabel(extension)}`;
  const shownServer = `${oneLine(server.name, 40)}${whose}`;
  const displayName = `${oneLine(tool.title ?? tool.name, 60)} (${shownServer})`;
  return {
    name,
    displayName,
    kind: 'other',
    description: withoutTags(tool.description ?? `The tool "${tool.name}" of the MCP server "${server.name}".`),
    schema: argumentSchema(tool.inputSchema),
    parameters: acceptedSchema(tool.inputSchema),
    annotations: hintsOf(tool),
    server: server.name,
    longOutput: true,
    describe: (args) => argumentLine(args),
    propose: (args) => {
      const written = JSON.stringify(args, undefined, 2);
      const details = { type: 'mcp', server: server.name, tool: tool.name, args: written } as const;
      return Promise.resolve({ proposal: { kind: 'details', details } });
    },
    execute: async (args, context) => {
      const options = { signal: context.signal, onProgress: progressOf(context, argumentLine(args), displayName) };
      const answer = await server.callTool(tool.name, args, options, askThrough(shownServer, context));
      return 'failed' in answer ? failedResult(server.name, answer.failed) : toolResultOf(answer.value);
    },
  };
}

/** Only the hints that the protocol defines, if they are valid. */
function hintsOf({ annotations = {} }: ServerTool): Record<string, boolean> {
  return Object.fromEntries(
    HINTS.flatMap((hint) => {
      const value = Object.hasOwn(annotations, hint) ? annotations[hint] : undefined;
      return typeof value === 'boolean' ? [[hint, value]] : [];
    }),
  );
}

/** The arguments in one line. */
export function argumentLine(args: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(args).map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return oneLine(values.join(', '), MAX_SUBJECT);
}

function progressOf({ update }: ToolContext, description: string, name: string): (progress: Progress) => void {
  return ({ progress, total, message }) => {
    const share = total !== undefined && total > 0 ? `${Math.min(100, Math.round((progress / total) * 100))} %` : '';
    const said = oneLine(message ?? '', MAX_SUBJECT);
    update({ name, description, resultSummary: [share, said].filter((part) => part !== '').join(' · ') });
  };
}

export function failedResult(server: string, { kind, message }: RequestFailure): ToolResult {
  if (kind === 'cancelled')
    return toolError('cancelled', 'Cancelled: the user stopped this while it ran. A part of it may have happened.');
  if (kind === 'timeout') {
    return toolError(
      'mcp_tool_error',
      `The MCP server "${server}" did not answer in time. Whether it did what was asked is not known.`,
    );
  }
  return toolError('mcp_tool_error', `The MCP server "${server}" did not do it: ${message}`);
}

import * as z from 'zod';
import { once } from '../base/once.ts';
import { type Tool, toolError } from '../ports/tool.ts';
import { oneLine } from '../text/one-line.ts';
import { asUntrusted } from '../text/untrusted.ts';
import type { OfServer, ServerAnswer, ServerResource } from './connection-types.ts';
import { failedResult } from './mcp-tool.ts';
import { resourceResultOf } from './tool-result.ts';

interface Resources {
  readonly resources: readonly OfServer<ServerResource>[];
  readResource(server: string, uri: string, signal: AbortSignal): Promise<ServerAnswer<unknown>>;
}

const MAX_LISTED = 500;

/** Tools for resources, with Gemini CLI's names. They contact a server, so they don't exist in Restricted Mode. */
export function createResourceTools(servers: Resources): readonly Tool[] {
  return [createListTool(servers), createReadTool(servers)];
}

const listSchema = once(() =>
  z.object({ serverName: z.string().optional().describe('Only those of this MCP server.') }),
);

function createListTool(servers: Resources): Tool<ReturnType<typeof listSchema>> {
  return {
    name: 'list_mcp_resources',
    displayName: 'List MCP Resources',
    kind: 'fetch',
    description: 'Lists the resources that MCP servers offer, with the URI that read_mcp_resource takes.',
    get schema() {
      return listSchema();
    },
    describe: ({ serverName }) => (typeof serverName === 'string' ? oneLine(serverName, 100) : ''),
    execute: ({ serverName }) => {
      const found = servers.resources.filter(({ server }) => serverName === undefined || server === serverName);
      const lines = found.slice(0, MAX_LISTED).map(({ server, uri, name, description = '', mimeType = '' }) => {
        return oneLine(
          [`${server}: ${uri}`, name, mimeType, description].filter((part) => part !== '').join(' | '),
          500,
        );
      });
      const more = found.length > MAX_LISTED ? [`… and ${found.length - MAX_LISTED} more`] : [];
      return Promise.resolve({ content: asUntrusted([...lines, ...more].join('\n') || 'There are none.') });
    },
  };
}

const readSchema = once(() =>
  z.object({
    uri: z.string().min(1).max(4000).describe('The URI of the resource, as it is listed.'),
    serverName: z.string().optional().describe('The MCP server, where several have this URI.'),
  }),
);

function createReadTool(servers: Resources): Tool<ReturnType<typeof readSchema>> {
  return {
    name: 'read_mcp_resource',
    displayName: 'Read MCP Resource',
    kind: 'fetch',
    description: 'Reads a resource of an MCP server by its URI.',
    get schema() {
      return readSchema();
    },
    longOutput: true,
    describe: ({ uri }) => (typeof uri === 'string' ? oneLine(uri, 200) : ''),
    execute: async ({ uri, serverName }, { signal }) => {
      // Only listed resources can be read, because the model may have got the URI from anywhere.
      const known = servers.resources.find(
        (each) => each.uri === uri && (serverName === undefined || each.server === serverName),
      );
      if (!known) return toolError('mcp_resource_not_found', `No MCP server lists the resource "${uri}".`);
      const answer = await servers.readResource(known.server, uri, signal);
      return 'failed' in answer ? failedResult(known.server, answer.failed) : resourceResultOf(answer.value);
    },
  };
}

import type { AgentCatalog } from '../agents/agent-catalog.ts';
import type { LocalAgent } from '../agents/agent-definition.ts';
import { serverSettings } from '../agents/agent-schema.ts';
import { contains } from '../files/real-path.ts';
import type { ExtensionCatalog } from '../gemini-extensions/extension-catalog.ts';
import { GivenServers } from '../mcp/given-servers.ts';
import type { McpServers } from '../mcp/mcp-servers.ts';
import { readServerSetting, type ServerFile } from '../mcp/read-servers.ts';
import type { Host } from '../ports/host.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createMcpServers } from './programs/project-programs.ts';
import type { SessionOptions } from './session-parts.ts';

/** The servers that whoever opened the session gave it; undefined if there are none. */
export function givenServers(
  { host, sandbox, mcp }: Pick<ServerParts, 'host' | 'sandbox' | 'mcp'>,
  setting: SessionOptions['mcpServers'] = {},
): McpServers | undefined {
  if (Object.keys(setting).length === 0) return undefined;
  const file = { path: 'mcpServers', scope: 'user', key: 'mcpServers' } as const;
  const { servers, ...read } = readServerSetting(setting, file);
  const literal = servers.map((server) => ({ ...server, isLiteral: true }));
  const given = new GivenServers({ ...read, servers: literal }, host.workspace, (name) => mcp.whyNotNamed(name));
  return createMcpServers(host, sandbox, given);
}

interface ServerParts {
  readonly host: Host;
  readonly sandbox: Sandbox;
  readonly mcp: McpServers;
  readonly agents: AgentCatalog;
  readonly extensions: ExtensionCatalog;
}

/** The MCP servers that only this agent uses; undefined if there are none. The approval of its file includes them. */
export function agentServers(shared: ServerParts, definition: LocalAgent): McpServers | undefined {
  const { host, mcp, sandbox } = shared;
  const named = Object.entries(definition.mcpServers);
  const file = named.length === 0 ? undefined : fileOf(shared, definition);
  if (!file) return undefined;
  const read = readServerSetting(
    Object.fromEntries(named.map(([name, server]) => [name, serverSettings(server)])),
    file,
  );
  return createMcpServers(host, sandbox, new GivenServers(read, host.workspace, (name) => mcp.whyNotNamed(name)));
}

/** The file that defines the agent. `trust` applies only in the user's own files. */
function fileOf({ agents, extensions, host }: ServerParts, definition: LocalAgent): ServerFile | undefined {
  const listed = agents.listed().find((each) => each.definition === definition);
  if (listed?.file === undefined) return undefined;
  const { file: path, source } = listed;
  const extension = extensions.enabled().find(({ name }) => name === listed.extension);
  const scope = source === 'user' || source === 'extension' ? source : 'project';
  const root = scope === 'project' ? host.workspace.roots().find((folder) => contains(folder, path)) : undefined;
  return { path, scope, key: 'mcpServers', ...(root !== undefined && { root }), ...(extension && { extension }) };
}

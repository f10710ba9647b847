import { agentSchemas, serverSettings } from '../../agents/agent-schema.ts';
import { readServerSetting, type ServerFile } from '../../mcp/read-servers.ts';
import type { McpProblem } from '../../mcp/server-definition.ts';
import type { JsonNode } from '../../text/json-tree.ts';
import { JsonPlaces } from '../../text/json-with-comments.ts';
import type { YamlNode } from '../../text/yaml-tree.ts';
import type { ConfigDocument } from '../config-document.ts';
import { matterOf, nodeAtPath } from '../front-matter/matter.ts';

/** What the reader of MCP servers reports about those of an agent when the agent starts. */
export function agentServerProblems(
  file: ConfigDocument,
  origin: Omit<ServerFile, 'path' | 'key'>,
): readonly McpProblem[] {
  const matter = matterOf(file);
  const servers = nodeAtPath(matter?.root, ['mcp_servers']);
  const read = agentSchemas().local.shape.mcp_servers.safeParse(servers?.value);
  if (!matter || !servers || !read.data) return [];
  const settings = Object.entries(read.data).map(([name, server]) => [name, serverSettings(server)]);
  const root = around('mcpServers', asJson(servers, matter.offset));
  const places = new JsonPlaces(file.text, root);
  return readServerSetting(Object.fromEntries(settings), { ...origin, path: file.path, key: 'mcpServers' }, places)
    .problems;
}

function around(name: string, node: JsonNode): JsonNode {
  const { start, end } = node;
  return {
    kind: 'object',
    value: {},
    entries: [{ name, key: { start, end: start }, node }],
    items: [],
    isOpen: false,
    start,
    end,
  };
}

/** The names of settings, where those of agents differ. */
const NAMES: Readonly<Record<string, string>> = {
  http_url: 'httpUrl',
  include_tools: 'includeTools',
  exclude_tools: 'excludeTools',
  auth: 'oauth',
};

/** The servers with the places that they have in the file, and the names that they have in settings. */
function asJson({ kind, value, entries, items, start, end }: YamlNode, offset: number, depth = 0): JsonNode {
  return {
    kind,
    value,
    entries: entries.map(({ name, key, node }) => ({
      name: (depth === 1 ? NAMES[name] : undefined) ?? name,
      key: { start: key.start + offset, end: key.end + offset },
      node: asJson(node, offset, depth + 1),
    })),
    items: items.map((item) => asJson(item, offset, depth + 1)),
    isOpen: false,
    start: start + offset,
    end: end + offset,
  };
}

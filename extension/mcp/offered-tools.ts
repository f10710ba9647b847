import type { Logger } from '../ports/logger.ts';
import type { Tool } from '../ports/tool.ts';
import type { ServerTool } from './connection-types.ts';
import type { McpServer } from './mcp-server.ts';
import { createMcpTool } from './mcp-tool.ts';
import { toolNames } from './tool-names.ts';

/** Gemini accepts 512 functions in a request, and ours are among them. */
const MAX_TOOLS = 400;
/**
 * Limits for the description and parameters of one tool and of all tools of a server, in characters: they are sent with
 * every request.
 */
const MAX_TOOL_CHARS = 32_000;
const MAX_SERVER_CHARS = 400_000;

interface Made {
  readonly name: string;
  readonly tool: Tool;
}

/** The tools of all servers. They are created once for each list of tools. */
export class OfferedTools {
  private lists: readonly (readonly ServerTool[])[] = [];
  private all: readonly Tool[] = [];
  private readonly made = new WeakMap<ServerTool, Made>();

  constructor(private readonly log: Logger) {}

  /** Returns the same array as long as no server has another list. */
  of(servers: readonly McpServer[]): readonly Tool[] {
    const lists = servers.map(({ offer }) => offer.tools);
    const isSame = lists.length === this.lists.length && lists.every((list, index) => list === this.lists[index]);
    if (isSame) return this.all;
    this.lists = lists;
    this.all = this.make(servers);
    return this.all;
  }

  private make(servers: readonly McpServer[]): readonly Tool[] {
    const wanted = servers.flatMap((server) => wantedTools(server).map((tool) => ({ server, tool })));
    const names = toolNames(wanted.map(({ server, tool }) => ({ server: server.name, tool: tool.name })));
    const sizes = new Map<McpServer, number>();
    const tools = wanted.flatMap(({ server, tool }, index) => {
      const made = this.toolOf(names[index] ?? '', server, tool);
      const size = sizeOf(made);
      const sum = (sizes.get(server) ?? 0) + size;
      if (size > MAX_TOOL_CHARS || sum > MAX_SERVER_CHARS) return this.ignore(server, tool);
      sizes.set(server, sum);
      return made;
    });
    if (tools.length > MAX_TOOLS) this.log.warn(`MCP servers offer ${tools.length} tools; ${MAX_TOOLS} are used.`);
    return tools.slice(0, MAX_TOOLS);
  }

  private toolOf(name: string, server: McpServer, tool: ServerTool): Tool {
    const known = this.made.get(tool);
    if (known?.name === name) return known.tool;
    const made = createMcpTool(name, server, tool);
    this.made.set(tool, { name, tool: made });
    return made;
  }

  private ignore({ name }: McpServer, tool: ServerTool): [] {
    this.log.warn(
      `[mcp ${name}] ${tool.name.slice(0, 200)} is ignored: its description, or those of the server's tools together, are too long.`,
    );
    return [];
  }
}

/** The tools that the server's include and exclude lists keep. */
export function wantedTools(server: McpServer): readonly ServerTool[] {
  return server.offer.tools.filter(({ name }) => isWanted(server, name));
}

/** Entries of Gemini CLI's lists may also have arguments, as in `tool(x)`. */
function isWanted({ definition: { includeTools, excludeTools } }: McpServer, name: string): boolean {
  const isNamed = (entry: string): boolean => entry === name || entry.startsWith(`${name}(`);
  return !excludeTools.includes(name) && (includeTools?.some(isNamed) ?? true);
}

function sizeOf({ description, parameters }: Tool): number {
  return description.length + JSON.stringify(parameters ?? {}).length;
}

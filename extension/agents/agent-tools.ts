import { aliasesOf, KNOWN_TOOLS } from '../policy/rules/known-tools.ts';
import { isReadOnly, type Tool } from '../ports/tool.ts';

/** The maximum depth of agents below each other: each level multiplies the possible cost of a message. */
export const DEEPEST = 2;

/** Tools for the main agent only, which lead the conversation or change the approval mode. */
const OF_MAIN_AGENT: ReadonlySet<string> = new Set(['update_topic', 'enter_plan_mode', 'exit_plan_mode']);

/** The tools in the definition of an agent. */
interface DefinedTools {
  readonly tools?: readonly string[] | undefined;
  readonly within?: readonly (readonly string[])[];
  readonly mcpServers: Readonly<Record<string, unknown>>;
}

/** Whether an agent may use a tool of its leader. */
export function mayHave({ tools, within = [] }: DefinedTools, tool: Tool): boolean {
  if (OF_MAIN_AGENT.has(tool.name) || tool.kind === 'switch_mode') return false;
  return [tools, ...within].every((names) => namesTool(names, tool));
}

/** Whether an agent can't change anything with those of the tools that it may use. */
export function onlyReads(agent: DefinedTools, tools: readonly Tool[]): boolean {
  if (Object.keys(agent.mcpServers).length > 0) return false;
  return tools.filter((tool) => mayHave(agent, tool)).every((tool) => isReadOnly(tool) || tool.kind === 'think');
}

/** Whether a definition may contain the name: a known tool, a tool of a server, or a wildcard for such tools. */
export function isToolName(name: string): boolean {
  if (name === '*' || name === 'mcp_*' || name.startsWith('discovered_tool_')) return true;
  if (aliasesOf(name).some((alias) => KNOWN_TOOLS.has(alias))) return true;
  return /^mcp_[a-z0-9.:-]+_(?:\*|[a-z0-9_.:-]*[a-z0-9.:-][a-z0-9_.:-]*)$/i.test(name);
}

/** Whether the names or wildcards of a definition include the tool. If undefined, they include all tools. */
function namesTool(names: readonly string[] | undefined, tool: { name: string; server?: string }): boolean {
  if (names === undefined) return true;
  return names.some((name) => isNamed(name, tool));
}

function isNamed(name: string, { name: tool, server }: { name: string; server?: string }): boolean {
  if (name === '*' || aliasesOf(name).includes(tool)) return true;
  if (server === undefined || !name.endsWith('*')) return false;
  // `mcp_a_*` matches the server "a" but not "a_b", although the names of their tools begin alike.
  return name === 'mcp_*' || name === `mcp_${server}_*`;
}

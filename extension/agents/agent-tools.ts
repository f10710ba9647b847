import { aliasesOf, KNOWN_TOOLS } from '../policy/rules/known-tools.ts';
import { isReadOnly, type Tool } from '../ports/tool.ts';

/** How many agents may stand one below the other: each multiplies what a message can cost. */
export const DEEPEST = 2;

/** What only the main agent does: lead the conversation, and decide how much runs without a question. */
const OF_MAIN_AGENT: ReadonlySet<string> = new Set(['update_topic', 'enter_plan_mode', 'exit_plan_mode']);

/** What the definition of an agent says about tools. */
interface DefinedTools {
  readonly tools?: readonly string[] | undefined;
  readonly within?: readonly (readonly string[])[];
  readonly mcpServers: Readonly<Record<string, unknown>>;
}

/** Whether an agent may have a tool, of those that the session has which it works for. */
export function mayHave({ tools, within = [] }: DefinedTools, tool: Tool): boolean {
  if (OF_MAIN_AGENT.has(tool.name) || tool.kind === 'switch_mode') return false;
  return [tools, ...within].every((names) => namesTool(names, tool));
}

/** Whether an agent can change nothing with what it would have of these tools. */
export function onlyReads(agent: DefinedTools, tools: readonly Tool[]): boolean {
  if (Object.keys(agent.mcpServers).length > 0) return false;
  return tools.filter((tool) => mayHave(agent, tool)).every((tool) => isReadOnly(tool) || tool.kind === 'think');
}

/** Whether a definition may name it: a tool there is, one of a server, or a wildcard for such. */
export function isToolName(name: string): boolean {
  if (name === '*' || name === 'mcp_*' || name.startsWith('discovered_tool_')) return true;
  if (aliasesOf(name).some((alias) => KNOWN_TOOLS.has(alias))) return true;
  return /^mcp_[a-z0-9.:-]+_(?:\*|[a-z0-9_.:-]*[a-z0-9.:-][a-z0-9_.:-]*)$/i.test(name);
}

/** Whether the names of a definition, wildcards among them, include the tool. Absent names include all. */
function namesTool(names: readonly string[] | undefined, tool: { name: string; server?: string }): boolean {
  if (names === undefined) return true;
  return names.some((name) => isNamed(name, tool));
}

function isNamed(name: string, { name: tool, server }: { name: string; server?: string }): boolean {
  if (name === '*' || aliasesOf(name).includes(tool)) return true;
  if (server === undefined || !name.endsWith('*')) return false;
  // `mcp_a_*` is for the server "a", not for "a_b", though their tools begin alike.
  return name === 'mcp_*' || name === `mcp_${server}_*`;
}

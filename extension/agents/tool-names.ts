import { aliasesOf, KNOWN_TOOLS } from '../policy/rules/known-tools.ts';

/** Whether a definition may name it: a tool there is, one of a server, or a wildcard for such. */
export function isToolName(name: string): boolean {
  if (name === '*' || name === 'mcp_*' || name.startsWith('discovered_tool_')) return true;
  if (aliasesOf(name).some((alias) => KNOWN_TOOLS.has(alias))) return true;
  return /^mcp_[a-z0-9.:-]+_(?:\*|[a-z0-9_.:-]*[a-z0-9.:-][a-z0-9_.:-]*)$/i.test(name);
}

/** Whether the names of a definition, wildcards among them, include the tool. Absent names include all. */
export function namesTool(names: readonly string[] | undefined, tool: { name: string; server?: string }): boolean {
  if (names === undefined) return true;
  return names.some((name) => isNamed(name, tool));
}

function isNamed(name: string, { name: tool, server }: { name: string; server?: string }): boolean {
  if (name === '*' || aliasesOf(name).includes(tool)) return true;
  if (server === undefined || !name.endsWith('*')) return false;
  // `mcp_a_*` is for the server "a", not for "a_b", though their tools begin alike.
  return name === 'mcp_*' || name === `mcp_${server}_*`;
}

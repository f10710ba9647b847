const PREFIX = 'mcp_';

/** How a tool of an MCP server is called: `*` stands for every server or every tool. */
export function qualifiedName(server: string, tool: string): string {
  return server === '*' && tool === '*' ? `${PREFIX}*` : `${PREFIX}${server}_${tool}`;
}

export function isQualified(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** Only a server without an underscore can be told from the name alone. */
export function serverIn(name: string): string | undefined {
  return /^mcp_([^_]+)_./.exec(name)?.[1];
}

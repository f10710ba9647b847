/** Tool names that rules can use. A name that is almost one of these counts as a typo. */
export const KNOWN_TOOLS: ReadonlySet<string> = new Set([
  'activate_skill',
  'ask_user',
  'complete_task',
  'enter_plan_mode',
  'exit_plan_mode',
  'find_references',
  'find_symbol',
  'get_diagnostics',
  'get_internal_docs',
  'get_open_editors',
  'glob',
  'go_to_definition',
  'google_web_search',
  'grep_search',
  'invoke_agent',
  'list_background_processes',
  'list_directory',
  'list_mcp_resources',
  'read_background_output',
  'read_file',
  'read_many_files',
  'read_mcp_resource',
  'rename_symbol',
  'replace',
  'run_shell_command',
  'save_memory',
  'stop_background_process',
  'tracker_add_dependency',
  'tracker_create_task',
  'tracker_get_task',
  'tracker_list_tasks',
  'tracker_update_task',
  'tracker_visualize',
  'update_topic',
  'web_fetch',
  'write_file',
  'write_todos',
]);

export const SHELL_TOOL = 'run_shell_command';

/** `ShellTool` is the name in old rules. */
const SHELL_NAMES: ReadonlySet<string> = new Set([SHELL_TOOL, 'ShellTool']);
const SAME_TOOL = ['grep_search', 'search_file_content'] as const;

export function isShellTool(name: string): boolean {
  return SHELL_NAMES.has(name);
}

/** All current and former names of the tool, starting with the given name. */
export function aliasesOf(name: string): string[] {
  const others = SAME_TOOL.some((alias) => alias === name) ? SAME_TOOL.filter((alias) => alias !== name) : [];
  return [name, ...others];
}

const PREFIX = 'mcp_';

/** The full name of an MCP tool. `*` matches every server or every tool. */
export function qualifiedName(server: string, tool: string): string {
  return server === '*' && tool === '*' ? `${PREFIX}*` : `${PREFIX}${server}_${tool}`;
}

export function isQualified(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** The server in a tool's name. A server whose name contains an underscore can't be recognized. */
export function serverIn(name: string): string | undefined {
  return /^mcp_([^_]+)_./.exec(name)?.[1];
}

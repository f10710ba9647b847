import { ownValue } from '../base/objects.ts';
import { aliasesOf, isShellTool, SHELL_TOOL } from '../policy/rules/known-tools.ts';
import { isAbout, subjectOf } from '../policy/rules/rule-match.ts';

/** Gemini CLI's class names of tools, which its settings accept in place of tool names. */
export const CLASS_NAMES: Readonly<Record<string, string>> = {
  ActivateSkillTool: 'activate_skill',
  AskUserTool: 'ask_user',
  CompleteTaskTool: 'complete_task',
  EditTool: 'replace',
  EnterPlanModeTool: 'enter_plan_mode',
  ExitPlanModeTool: 'exit_plan_mode',
  GetInternalDocsTool: 'get_internal_docs',
  GlobTool: 'glob',
  GrepTool: 'grep_search',
  LSTool: 'list_directory',
  ListBackgroundProcessesTool: 'list_background_processes',
  ListMcpResourcesTool: 'list_mcp_resources',
  MemoryTool: 'save_memory',
  ReadBackgroundOutputTool: 'read_background_output',
  ReadFileTool: 'read_file',
  ReadManyFilesTool: 'read_many_files',
  ReadMcpResourceTool: 'read_mcp_resource',
  RipGrepTool: 'grep_search',
  ShellTool: SHELL_TOOL,
  SmartEditTool: 'replace',
  SubagentTool: 'invoke_agent',
  TrackerAddDependencyTool: 'tracker_add_dependency',
  TrackerCreateTaskTool: 'tracker_create_task',
  TrackerGetTaskTool: 'tracker_get_task',
  TrackerListTasksTool: 'tracker_list_tasks',
  TrackerUpdateTaskTool: 'tracker_update_task',
  TrackerVisualizeTool: 'tracker_visualize',
  UpdateTopicTool: 'update_topic',
  WebFetchTool: 'web_fetch',
  WebSearchTool: 'google_web_search',
  WriteFileTool: 'write_file',
  WriteTodosTool: 'write_todos',
};

/** An entry of a list of tools, such as `read_file`, `mcp_github_*` or `run_shell_command(git status)`. */
export interface ToolEntry {
  /** A tool, several tools with `*` at the end, or an agent. */
  readonly tool: string;
  /** The prefix of commands. Applies only to the shell; as in Gemini CLI, parentheses after other tools are ignored. */
  readonly prefix?: string;
}

interface NamedTool {
  readonly name: string;
  readonly server?: string | undefined;
}

export function readEntry(written: string): ToolEntry {
  const [, name = '', inBrackets = ''] = /^([^(]*)(?:\((.*?)\)?)?$/s.exec(written.trim()) ?? [];
  const tool = ownValue(CLASS_NAMES, name.trim()) ?? name.trim();
  const prefix = inBrackets.trim();
  return isShellTool(tool) && prefix !== '' ? { tool: SHELL_TOOL, prefix } : { tool };
}

/** Whether an entry applies to at least some calls of a tool. */
export function isAboutTool({ tool }: ToolEntry, { name, server }: NamedTool): boolean {
  const subject = subjectOf({ name, args: {}, ...(server !== undefined && { server }) });
  if (isAbout({ toolName: tool }, subject, ANYWHERE)) return true;
  // Also matches the name without its server, and the tool's earlier names.
  if (server !== undefined && name === `mcp_${server}_${tool}`) return true;
  return aliasesOf(tool).includes(name);
}

const ANYWHERE = { mode: 'default', interactive: true, trusted: true, roots: [], sessionRules: [] } as const;

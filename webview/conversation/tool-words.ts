import * as l10n from '@vscode/l10n';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import type { IconName } from '../base/icons.ts';

type ToolEntry = Extract<Entry, { kind: 'tool' }>;
type Status = ToolEntry['status'];

export interface ToolWords {
  readonly icon: IconName;
  /** True if the subject is a file of the workspace. */
  readonly opensFile: boolean;
  verb(status: Status): string;
}

/** The verbs for each status. */
type Verbs = readonly [running: string, success: string, error: string, cancelled: string];

const PLACES: Readonly<Record<Status, 0 | 1 | 2 | 3>> = { running: 0, success: 1, error: 2, cancelled: 3 };

/** The texts are created on request, because the language is not known before. */
function words(icon: IconName, verbs: () => Verbs, opensFile = false): ToolWords {
  return { icon, opensFile, verb: (status) => verbs()[PLACES[status]] };
}

const TOOLS: Readonly<Record<string, ToolWords>> = {
  read_file: words(
    'file-code',
    () => [l10n.t('Reading'), l10n.t('Read'), l10n.t('Read failed'), l10n.t('Not read')],
    true,
  ),
  read_many_files: words('files', () => [
    l10n.t('Reading'),
    l10n.t('Read'),
    l10n.t('Reading failed'),
    l10n.t('Reading stopped'),
  ]),
  list_directory: words('folder-opened', () => [
    l10n.t('Listing'),
    l10n.t('Listed'),
    l10n.t('Listing failed'),
    l10n.t('Listing stopped'),
  ]),
  glob: words('search', () => [
    l10n.t('Finding'),
    l10n.t('Found'),
    l10n.t('Finding failed'),
    l10n.t('Finding stopped'),
  ]),
  grep_search: words('search', () => [
    l10n.t('Searching'),
    l10n.t('Searched'),
    l10n.t('Search failed'),
    l10n.t('Search stopped'),
  ]),
  write_file: words(
    'edit',
    () => [l10n.t('Writing'), l10n.t('Wrote'), l10n.t('Write failed'), l10n.t('Write stopped')],
    true,
  ),
  replace: words(
    'edit',
    () => [l10n.t('Editing'), l10n.t('Edited'), l10n.t('Edit failed'), l10n.t('Edit stopped')],
    true,
  ),
  save_memory: words('save', () => [
    l10n.t('Remembering'),
    l10n.t('Remembered'),
    l10n.t('Memory failed'),
    l10n.t('Memory stopped'),
  ]),
  rename_symbol: words('edit', () => [
    l10n.t('Renaming'),
    l10n.t('Renamed'),
    l10n.t('Rename failed'),
    l10n.t('Rename stopped'),
  ]),
  run_shell_command: words('terminal', () => [
    l10n.t('Running'),
    l10n.t('Ran'),
    l10n.t('Command failed'),
    l10n.t('Command stopped'),
  ]),
  list_background_processes: words('terminal', () => [
    l10n.t('Listing processes'),
    l10n.t('Listed processes'),
    l10n.t('Listing processes failed'),
    l10n.t('Listing processes stopped'),
  ]),
  read_background_output: words('terminal', () => [
    l10n.t('Reading output'),
    l10n.t('Read output'),
    l10n.t('Reading output failed'),
    l10n.t('Reading output stopped'),
  ]),
  stop_background_process: words('terminal', () => [
    l10n.t('Ending'),
    l10n.t('Ended'),
    l10n.t('Ending failed'),
    l10n.t('Ending stopped'),
  ]),
  web_fetch: words('globe', () => [
    l10n.t('Fetching'),
    l10n.t('Fetched'),
    l10n.t('Fetch failed'),
    l10n.t('Fetch stopped'),
  ]),
  google_web_search: words('globe', () => [
    l10n.t('Searching the web'),
    l10n.t('Searched the web'),
    l10n.t('Web search failed'),
    l10n.t('Web search stopped'),
  ]),
  write_todos: words('checklist', () => [
    l10n.t('Planning'),
    l10n.t('Planned'),
    l10n.t('Todo list failed'),
    l10n.t('Todo list stopped'),
  ]),
  ask_user: words('question', () => [
    l10n.t('Asking'),
    l10n.t('Asked'),
    l10n.t('Question failed'),
    l10n.t('Question stopped'),
  ]),
  enter_plan_mode: words('checklist', () => [
    l10n.t('Entering plan mode'),
    l10n.t('In plan mode'),
    l10n.t('Plan mode failed'),
    l10n.t('Plan mode stopped'),
  ]),
  exit_plan_mode: words('checklist', () => [
    l10n.t('Presenting the plan'),
    l10n.t('Plan approved'),
    l10n.t('Plan failed'),
    l10n.t('Plan stopped'),
  ]),
  get_diagnostics: words('warning', () => [
    l10n.t('Checking problems'),
    l10n.t('Checked problems'),
    l10n.t('Checking problems failed'),
    l10n.t('Checking problems stopped'),
  ]),
  find_symbol: words('symbol-method', () => [
    l10n.t('Finding symbol'),
    l10n.t('Found symbol'),
    l10n.t('Finding symbol failed'),
    l10n.t('Finding symbol stopped'),
  ]),
  go_to_definition: words('symbol-method', () => [
    l10n.t('Finding definition'),
    l10n.t('Found definition'),
    l10n.t('Definition failed'),
    l10n.t('Definition stopped'),
  ]),
  find_references: words('references', () => [
    l10n.t('Finding references'),
    l10n.t('Found references'),
    l10n.t('Finding references failed'),
    l10n.t('Finding references stopped'),
  ]),
  activate_skill: words('mortar-board', () => [
    l10n.t('Loading skill'),
    l10n.t('Skill'),
    l10n.t('Skill failed'),
    l10n.t('Skill stopped'),
  ]),
  invoke_agent: words('agent', () => [
    l10n.t('Agent'),
    l10n.t('Agent'),
    l10n.t('Agent failed'),
    l10n.t('Agent stopped'),
  ]),
  complete_task: words('check', () => [
    l10n.t('Reporting'),
    l10n.t('Reported'),
    l10n.t('Report failed'),
    l10n.t('Report stopped'),
  ]),
  get_open_editors: words('files', () => [
    l10n.t('Looking at editors'),
    l10n.t('Looked at editors'),
    l10n.t('Looking at editors failed'),
    l10n.t('Looking at editors stopped'),
  ]),
};

/** The model may invent names, and a plain lookup would also find `constructor`. */
export function wordsFor(name: string): ToolWords {
  return (Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined) ?? unknownTool(name);
}

/** A tool of an MCP server is displayed with the names of both. */
function unknownTool(name: string): ToolWords {
  const [, server, tool] = /^mcp_([^_]+)_(.+)$/.exec(name) ?? [];
  const shown = server === undefined ? name : `${server} ${tool}`;
  const verbs = (): Verbs => [shown, shown, l10n.t('{0} failed', shown), l10n.t('{0} stopped', shown)];
  return words(name.startsWith('mcp_') ? 'mcp' : 'tools', verbs);
}

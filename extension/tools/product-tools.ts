import type { EditorPort } from '../ports/editor.ts';
import type { ShellPort } from '../ports/shell.ts';
import type { Tool } from '../ports/tool.ts';
import type { ProcessTable } from '../processes/shell/process-table.ts';
import type { RunningCommand } from '../processes/shell/running-command.ts';
import type { SkillCatalog } from './conversation/activate-skill.ts';
import { createConversationTools } from './conversation/conversation-tools.ts';
import { type AgentsPort, createInvokeAgentTool } from './conversation/invoke-agent.ts';
import { createFindSymbolTool } from './editor/find-symbol.ts';
import { createGetDiagnosticsTool } from './editor/get-diagnostics.ts';
import { createGetOpenEditorsTool } from './editor/get-open-editors.ts';
import { createRenameSymbolTool } from './editor/rename-symbol.ts';
import { createFindReferencesTool, createGoToDefinitionTool } from './editor/symbol-places.ts';
import { createReadFileTool } from './files/read-file.ts';
import { createReadManyFilesTool } from './files/read-many-files.ts';
import { createReplaceTool } from './files/replace.ts';
import { createWriteFileTool } from './files/write-file.ts';
import { createGlobTool } from './search/glob.ts';
import { createGrepSearchTool } from './search/grep-search.ts';
import { createListDirectoryTool } from './search/list-directory.ts';
import {
  createListBackgroundProcessesTool,
  createReadBackgroundOutputTool,
  createStopBackgroundProcessTool,
} from './shell/background-tools.ts';
import {
  type CommandSandbox,
  createRunShellCommandTool,
  type ProtectedFiles,
  type ShellToolParts,
} from './shell/run-shell-command.ts';
import { withBuiltParameters } from './tool-parameters.ts';
import { type AskModel, createGoogleWebSearchTool } from './web/google-web-search.ts';
import { createPinnedFetch, type PinnedFetch } from './web/pinned-fetch.ts';
import { SourceLinks } from './web/source-links.ts';
import { createWebFetchTool } from './web/web-fetch.ts';

/** Dependencies of a session's tools that don't come with a call. */
export interface ToolParts {
  /** Absolute. The folder that contains ripgrep. */
  readonly assets: string;
  /** Absent if there is no editor. */
  readonly editor?: EditorPort;
  readonly shell: ShellPort;
  /** Absent if commands are not confined. */
  readonly sandbox?: CommandSandbox;
  /** Absent if protected files are not checked after commands. */
  readonly protectedFiles?: ProtectedFiles;
  /** The processes of the session. */
  readonly processes: ProcessTable;
  /** Called for every command right after its start. */
  readonly commandStarted?: (callId: string, command: RunningCommand) => void;
  /** Whether commands have terminals that the user can type in. */
  readonly canBeAnswered?: boolean;
  /** The skills that the session can activate. Absent if there are none. */
  readonly skills?: SkillCatalog;
  /** The name of the file with instructions. GEMINI.md by default. */
  readonly memoryFile?: () => string;
  /** Sends a separate request to the session's model, outside the conversation. */
  readonly generate: AskModel;
  /** Absent if tasks can't be delegated to subagents. */
  readonly agents?: AgentsPort;
  /** Fetches pages. The strict implementation by default; tests replace it. */
  readonly fetch?: PinnedFetch;
}

/** The tools of one session. */
export type ToolsOf = (parts: ToolParts) => readonly Tool[];

export function productTools(parts: ToolParts): readonly Tool[] {
  const {
    assets,
    editor,
    shell,
    sandbox,
    protectedFiles,
    processes,
    commandStarted,
    canBeAnswered,
    generate,
    agents,
    skills,
    memoryFile,
    fetch = createPinnedFetch(),
  } = parts;
  const edits = editor ? { editor } : {};
  return withBuiltParameters([
    createReadFileTool(),
    createReadManyFilesTool(),
    createListDirectoryTool(),
    createGlobTool({ assets }),
    createGrepSearchTool({ assets }),
    createWriteFileTool(edits),
    createReplaceTool(edits),
    ...createShellTools({
      shell,
      processes,
      ...(sandbox && { sandbox }),
      ...(protectedFiles && { protectedFiles }),
      ...(commandStarted && { commandStarted }),
      ...(canBeAnswered && { canBeAnswered }),
    }),
    ...createWebTools({ generate, fetch }),
    ...(agents ? [createInvokeAgentTool(agents)] : []),
    ...createConversationTools({ ...(skills && { skills }), ...(memoryFile && { memoryFile }) }),
    ...createEditorTools(editor),
  ]);
}

interface WebParts {
  readonly generate: AskModel;
  readonly fetch: PinnedFetch;
}

/** The tools that access the web. */
function createWebTools({ generate, fetch }: WebParts): readonly Tool[] {
  return [createWebFetchTool(fetch), createGoogleWebSearchTool(generate, new SourceLinks(fetch))];
}

/** The tools that run and manage commands of one session. */
export function createShellTools(parts: ShellToolParts): readonly Tool[] {
  return [
    createRunShellCommandTool(parts),
    createListBackgroundProcessesTool(parts.processes),
    createReadBackgroundOutputTool(parts.processes),
    createStopBackgroundProcessTool(parts.processes),
  ];
}

/** Tools that require an editor. Empty without one. */
export function createEditorTools(editor: EditorPort | undefined): readonly Tool[] {
  if (editor === undefined) return [];
  return [
    createGetDiagnosticsTool(editor),
    createFindSymbolTool(editor),
    createGoToDefinitionTool(editor),
    createFindReferencesTool(editor),
    createRenameSymbolTool(editor),
    createGetOpenEditorsTool(editor),
  ];
}

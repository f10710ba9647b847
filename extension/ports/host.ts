import type { Clock } from './clock.ts';
import type { EditorPort } from './editor.ts';
import type { Logger } from './logger.ts';
import type { SecretPort } from './secrets.ts';
import type { SettingsPort } from './settings.ts';
import type { TerminalsPort } from './terminals.ts';
import type { FilePort, WorkspacePort } from './workspace.ts';

/**
 * What the runtime needs from the outside. `vscode/` and `headless/` implement the same ports.
 * Types only, so every layer may import this file.
 */
export interface Host {
  readonly workspace: WorkspacePort;
  readonly files: FilePort;
  readonly settings: SettingsPort;
  readonly secrets: SecretPort;
  readonly log: Logger;
  readonly clock: Clock;
  readonly sessions: SessionsPort;
  /** Absolute: the folder of what ships beside the bundles, such as ripgrep and the grammar of the shell. */
  readonly assets: string;
  /** Absent where there is no editor: its tools are then absent too. */
  readonly editor?: EditorPort;
  /** Absent where nobody can look at a terminal. */
  readonly terminals?: TerminalsPort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absent where nobody can turn servers off. */
  readonly mcp?: McpPort;
  /** Absent where answers are neither recorded nor replayed. */
  readonly recorded?: RecordedAnswers;
}

/** How conversations are kept and who sees them. */
export interface SessionsPort {
  /** Absolute path of the folder they are in; undefined keeps nothing. */
  readonly folder: string | undefined;
  /** Who holds a session, for another window that wants it: "VS Code", "the command line". */
  readonly owner: string;
  /** Whether somebody is there to answer questions. */
  readonly interactive: boolean;
}

/** What the user decided about MCP servers in this workspace. */
export interface McpPort {
  isDisabled(name: string): boolean;
}

/** Answers of a model in a file; the paths are absolute. */
export interface RecordedAnswers {
  /** They are given instead of asking a model. */
  readonly replay?: string;
  /** Told with every answer that is given how many are left. */
  readonly onReplayed?: (left: number) => void;
  /** Every answer is added to it. */
  readonly record?: string;
}

import type { Clock } from './clock.ts';
import type { EditorPort } from './editor.ts';
import type { Logger } from './logger.ts';
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
  /** Absolute: the folder of the assets next to the bundles, such as ripgrep and the shell grammar. */
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
  /** The holder of a session as other windows see it: "VS Code", "the command line". */
  readonly owner: string;
  /** Whether somebody can answer approvals. */
  readonly interactive: boolean;
}

/** What the user decided about MCP servers in this workspace. */
export interface McpPort {
  isDisabled(name: string): boolean;
}

/** Answers of a model in a file; the paths are absolute. */
export interface RecordedAnswers {
  /** The answers to replay instead of asking a model. */
  readonly replay?: string;
  /** Called with the number of remaining answers after each one. */
  readonly onReplayed?: (left: number) => void;
  /** The file that every answer is appended to. */
  readonly record?: string;
}

export interface SecretPort {
  apiKey(): Promise<string | undefined>;
  /** Absent where nobody can sign in. */
  readonly login?: LoginStore;
  /** Tokens of MCP servers. Absent where nobody can sign in. */
  readonly mcpLogins?: McpLoginStore;
}

/** One secret for each server. */
export interface McpLoginStore {
  read(key: string): Promise<string | undefined>;
  /** Undefined removes it. */
  write(key: string, text: string | undefined): Promise<void>;
}

/** The stored Google login, as one secret. */
export interface LoginStore {
  read(): Promise<string | undefined>;
  /** Does nothing if another secret is stored by now, so that a sign-out in the meantime isn't undone. */
  replace(expected: string, text: string): Promise<void>;
}

import type { Clock } from './clock.ts';
import type { EditorPort } from './editor.ts';
import type { Logger } from './logger.ts';
import type { SettingsPort } from './settings.ts';
import type { TerminalsPort } from './terminals.ts';
import type { FilePort, WorkspacePort } from './workspace.ts';

/**
 * What the runtime needs from its surroundings. `vscode/` and `headless/` implement the same ports.
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
  /** The absolute path of the folder with the assets next to the bundles, such as ripgrep and the shell grammar. */
  readonly assets: string;
  /** Absent if there is no editor; then its tools are absent too. */
  readonly editor?: EditorPort;
  /** Absent if nobody can see a terminal. */
  readonly terminals?: TerminalsPort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** VS Code's name of the remote connection that this process runs in, such as `ssh-remote`. Absent if there is none. */
  readonly remote?: string;
  /** Whether this process may wait for the disk, because it has nothing else to do. */
  readonly waitsForDisk?: boolean;
  /** Whether models are reached without a proxy, so that Node's own HTTP client can replace the slower `fetch`. */
  readonly connectsDirectly?: boolean;
  /** Absent if the user cannot turn servers off. */
  readonly mcp?: McpPort;
  /** Absent if answers are neither recorded nor replayed. */
  readonly recorded?: RecordedAnswers;
}

/** How sessions are stored, and whether a user is present. */
export interface SessionsPort {
  /** The absolute path of the folder with the sessions; undefined if they are not stored. */
  readonly folder: string | undefined;
  /** The name of this program, which other windows show as the holder of a session: "VS Code", "the command line". */
  readonly owner: string;
  /** Whether a user can answer approvals. */
  readonly interactive: boolean;
}

/** The user's decisions about MCP servers in this workspace. */
export interface McpPort {
  isDisabled(name: string): boolean;
}

/** Files with answers of a model; the paths are absolute. */
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
  /** Absent if the user cannot sign in. */
  readonly login?: LoginStore;
  /** The tokens of MCP servers and of remote agents. Absent if the user cannot sign in. */
  readonly mcpLogins?: McpLoginStore;
}

/** One secret for each server or agent. */
export interface McpLoginStore {
  read(key: string): Promise<string | undefined>;
  /** Undefined removes the secret. */
  write(key: string, text: string | undefined): Promise<void>;
}

/** The stored Google login, as one secret. */
export interface LoginStore {
  read(): Promise<string | undefined>;
  /** Does nothing if another secret is stored by now, so that a sign-out in the meantime isn't undone. */
  replace(expected: string, text: string): Promise<void>;
}

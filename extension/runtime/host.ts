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
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface WorkspacePort {
  /** Absolute paths of the folders the user opened; empty when there is none. */
  roots(): readonly string[];
  isTrusted(): boolean;
}

export interface FilePort {
  /** Unsaved text of an open editor, if the file has any: what the user sees is what the agent reads. */
  unsavedText(path: string): string | undefined;
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

export type AuthMethod = 'auto' | 'apiKey' | 'gateway' | 'offline';

export interface SettingsPort {
  authMethod(): AuthMethod;
  /** `auto` or a model id. */
  modelName(): string;
  /** Empty for Google's own endpoint. */
  baseUrl(): string;
  limits(): Limits;
  /** By model id or the beginning of one; empty when the user named none. */
  prices(): Readonly<Record<string, Price>>;
  /** How long conversations are kept; 0 for ever. */
  retention(): { readonly days: number; readonly count: number };
}

/** -1 for no limit. */
export interface Limit {
  readonly turns: number;
  readonly minutes: number;
  readonly tokens: number;
  /** In the currency of the prices. */
  readonly cost: number;
}

export interface Limits {
  /** For one message and all that follows from it. */
  readonly prompt: Limit;
  readonly session: Limit;
}

/** For a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

export interface SecretPort {
  apiKey(): Promise<string | undefined>;
}

export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** `cause` is written with its stack. */
  error(message: string, cause?: unknown): void;
}

export interface Clock {
  now(): number;
}

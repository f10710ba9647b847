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

export type AuthMethod = 'auto' | 'apiKey' | 'gateway' | 'offline';

export interface SettingsPort {
  authMethod(): AuthMethod;
  /** `auto` or a model id. */
  modelName(): string;
  /** Empty for Google's own endpoint. */
  baseUrl(): string;
  /** -1 for no limit. */
  maxTurns(): number;
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

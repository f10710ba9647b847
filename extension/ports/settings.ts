import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

export type AuthMethod = 'auto' | 'apiKey' | 'vertex' | 'adc' | 'google' | 'gateway' | 'offline';

/** The user's settings for signing in. Values that are not set are empty. */
export interface AuthSettings {
  /** The Google Cloud project. */
  readonly project: string;
  readonly location: string;
  /** Headers for every request to the base URL; `${env:NAME}` in a value is replaced with an environment variable. */
  readonly headers: Readonly<Record<string, string>>;
  /** The id of the OAuth client for "Sign In with Google…". */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

export interface SettingsPort {
  authMethod(): AuthMethod;
  /** Absent on the command line, which has no such settings. */
  auth?(): AuthSettings;
  /** `auto`, an alias or a model id. */
  modelName(): string;
  /** Whether the user wants only that model, without a fallback. Absent if the user is asked. */
  keepsModel?(): boolean;
  /** Empty for Google's own endpoint. */
  baseUrl(): string;
  /** The number of attempts for a request, 1 to 10. */
  maxAttempts(): number;
  limits(): Limits;
  /** Prices by model id or prefix of an id; empty if the user set none. */
  prices(): Readonly<Record<string, Price>>;
  /** The user's aliases and overrides, not validated. */
  modelConfigs?(): unknown;
  /** The key in Gemini CLI's settings that has them. Absent if it is Gantry's own setting. */
  readonly modelConfigsKey?: 'modelConfigs';
  /** The user's temperature and similar values, not validated. */
  generation?(): unknown;
  /** The mode of a new session. */
  approvalMode(): ApprovalMode;
  /** The timeout of an approval in minutes, after which it counts as a rejection; 0 for no timeout. */
  answerMinutes(): number;
  loopDetection(): boolean;
  /** The absolute paths of additional policy files or folders. */
  policyPaths(): readonly string[];
  /** Whether secrets are removed from requests. The user's own keys always are. */
  redactsSecrets(): boolean;
  /** How long conversations are kept; 0 means forever. */
  retention(): { readonly days: number; readonly count: number };
  /** The names of files with instructions; empty if the user set none. Absent if there is no such setting. */
  contextFileNames?(): readonly string[];
  /** Whether the model is told about the machine and the workspace. */
  sendsEnvironment(): boolean;
  /** The share of the context window at which the conversation is compacted; above 0, at most 1. */
  compressionThreshold(): number;
  /** How commands are confined. If absent, they are not. Never read from a folder. */
  sandbox?(): SandboxSettings;
  /** The user's MCP servers by name, not validated. Never read from a folder. */
  mcpServers?(): unknown;
  /** The absolute paths of the user's files with MCP servers, in VS Code's format. */
  mcpFiles?(): readonly string[];
  /** Where the user wants telemetry sent. Never read from a folder. */
  telemetry?(): TelemetrySettings;
}

export interface TelemetrySettings {
  /** The base URL of a receiver of OTLP over HTTP, not validated; empty for none, so that nothing is sent. */
  readonly endpoint: string;
  /** Headers for every request to it; `${env:NAME}` in a value is replaced with an environment variable. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the settings or flags, for messages. */
  readonly source: string;
  readonly headersSource: string;
  /** The editor's own telemetry is turned off, which also applies here. */
  readonly isBlocked?: boolean;
}

/** `auto`: the sandbox is used if the machine supports it. `required`: nothing runs without it. */
export type SandboxMode = 'auto' | 'required' | 'off';

export interface SandboxSettings {
  readonly mode: SandboxMode;
  /** Whether commands in the sandbox run without approval. */
  readonly autoAllow: boolean;
  /** The user has not decided this yet, so Gantry may offer it. */
  readonly offersAutoAllow?: boolean;
  /** The absolute paths of folders besides the workspace that commands in the sandbox can write to. */
  readonly folders: readonly string[];
  /**
   * Hosts that commands in the sandbox can reach, such as `registry.npmjs.org`, `*.example.com` or `example.com:8443`.
   */
  readonly network: readonly string[];
}

/** -1 means no limit. */
export interface Limit {
  readonly turns: number;
  readonly minutes: number;
  readonly tokens: number;
  /** In the currency of the prices. */
  readonly cost: number;
}

export interface Limits {
  /** For one message and everything that follows from it. */
  readonly prompt: Limit;
  readonly session: Limit;
}

/** Prices per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
}

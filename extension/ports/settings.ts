import type { ApprovalMode } from '../protocol/agent/approval-mode.ts';

export type AuthMethod = 'auto' | 'apiKey' | 'vertex' | 'adc' | 'google' | 'gateway' | 'offline';

/** How to sign in, as the user set it. Empty where nothing is set. */
export interface AuthSettings {
  /** Of Google Cloud. */
  readonly project: string;
  readonly location: string;
  /** Sent to the base URL with every request; `${env:NAME}` in a value stands for a variable. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the OAuth client that "Sign In with Google…" signs in to. */
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

export interface SettingsPort {
  authMethod(): AuthMethod;
  /** Absent where there are no such settings: the command line. */
  auth?(): AuthSettings;
  /** `auto`, an alias or a model id. */
  modelName(): string;
  /** Whether the user wants that model or none: no fallback. Absent where the user is asked. */
  keepsModel?(): boolean;
  /** Empty for Google's own endpoint. */
  baseUrl(): string;
  /** The number of attempts for a request, 1 to 10. */
  maxAttempts(): number;
  limits(): Limits;
  /** By model id or the beginning of one; empty when the user named none. */
  prices(): Readonly<Record<string, Price>>;
  /** Aliases and overrides of the user's, unread. */
  modelConfigs?(): unknown;
  /** Temperature and the like, as the user set them, unread. */
  generation?(): unknown;
  /** What a new session begins with. */
  approvalMode(): ApprovalMode;
  /** Timeout of an approval, after which it counts as a rejection; 0 for none. */
  answerMinutes(): number;
  /** Whether loop detection is on. */
  loopDetection(): boolean;
  /** Further policy files or folders, absolute. */
  policyPaths(): readonly string[];
  /** Whether secrets are omitted from what is sent. The user's own keys always are. */
  redactsSecrets(): boolean;
  /** How long conversations are kept; 0 for ever. */
  retention(): { readonly days: number; readonly count: number };
  /** What files with instructions are called; empty when the user named none. Absent where there is no such setting. */
  contextFileNames?(): readonly string[];
  /** The share of the context window at which the conversation is compacted; above 0, at most 1. */
  compressionThreshold(): number;
  /** How commands are confined. If absent, they aren't. Never from a folder. */
  sandbox?(): SandboxSettings;
  /** MCP servers by name, as the user set them, unread. Never from a folder. */
  mcpServers?(): unknown;
  /** Absolute: files of the user's with MCP servers, in VS Code's format. */
  mcpFiles?(): readonly string[];
}

/** `auto`: where the machine supports it. `required`: nothing runs without it. */
export type SandboxMode = 'auto' | 'required' | 'off';

export interface SandboxSettings {
  readonly mode: SandboxMode;
  /** Commands in the sandbox need no approval. */
  readonly autoAllow: boolean;
  /** The user has not decided that yet, so they may be asked. */
  readonly offersAutoAllow?: boolean;
  /** Absolute: folders besides the workspace that can be written to from inside. */
  readonly folders: readonly string[];
  /** Hosts that can be reached from inside, such as `registry.npmjs.org`, `*.example.com` or `example.com:8443`. */
  readonly network: readonly string[];
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

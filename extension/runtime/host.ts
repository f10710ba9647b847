import type { ApprovalMode } from '../protocol/approval-mode.ts';
import type { SandboxBlock, SandboxKind } from '../protocol/sandbox-block.ts';

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

export interface WorkspacePort {
  /** Absolute paths of the folders the user opened; empty when there is none. */
  roots(): readonly string[];
  isTrusted(): boolean;
}

export interface FilePort {
  /** Unsaved text of an open editor, if the file has any: what the user sees is what the agent reads. */
  unsavedText(path: string): string | undefined;
  /** The file as the editor has it open, with or without unsaved changes. */
  openDocument(path: string): OpenDocument | undefined;
  /** Tells of files that are saved in an editor. What is returned ends that. Absent where there is none. */
  onDidSave?(listener: (path: string) => void): () => void;
}

/** A text file that is open in the editor, which knows its encoding and has the user's unsaved changes. */
export interface OpenDocument {
  readonly text: string;
  readonly isDirty: boolean;
  /** As the file would be on disk with this text: the document's encoding and byte order mark. */
  encode(text: string): Promise<Uint8Array>;
  /** Puts the text in the place of `expected` and saves. `stale`: the document has another text by now, nothing was done. */
  replace(expected: string, text: string): Promise<'saved' | 'stale' | 'not_saved'>;
}

/** What an editor knows about code. Paths are absolute; lines and columns count from 1. */
export interface EditorPort {
  /** Of one file, or of all the editor knows. */
  problems(path?: string): readonly EditorProblem[];
  /** The file's problems once the editor has looked at it as it is now, or what is known when the time is over. */
  problemsAfterChange(path: string, limitMs: number, signal: AbortSignal): Promise<readonly EditorProblem[]>;
  symbols(query: string, path: string | undefined, signal: AbortSignal): Promise<readonly EditorSymbol[]>;
  definitions(at: EditorPosition, signal: AbortSignal): Promise<readonly EditorLocation[]>;
  references(at: EditorPosition, signal: AbortSignal): Promise<readonly EditorLocation[]>;
  /** What a rename would change, file by file; or why there is none. */
  rename(at: EditorPosition, newName: string, signal: AbortSignal): Promise<RenameOutcome>;
  openEditors(): readonly OpenEditor[];
}

export interface EditorPosition {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface EditorLocation extends EditorPosition {
  readonly endLine: number;
  readonly endColumn: number;
}

export interface EditorProblem extends EditorLocation {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** Who found it, such as "ts". */
  readonly source?: string;
  readonly code?: string;
}

export interface EditorSymbol extends EditorLocation {
  readonly name: string;
  /** Such as "class" or "function". */
  readonly kind: string;
  readonly container?: string;
}

export type RenameOutcome =
  | { readonly files: readonly { readonly path: string; readonly before: string; readonly after: string }[] }
  | { readonly problem: string };

export interface OpenEditor {
  readonly path: string;
  readonly isActive: boolean;
  readonly isDirty: boolean;
  readonly isVisible: boolean;
  readonly cursor?: { readonly line: number; readonly column: number };
  readonly selection?: { readonly startLine: number; readonly endLine: number; readonly text: string };
}

/** Starts commands, each on a terminal of its own. */
export interface ShellPort {
  start(command: string, options: ShellStart): ShellProcess;
}

export interface ShellStart {
  /** Absolute. */
  readonly folder: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Absent for a command that nothing holds back but its user's rights. */
  readonly confinement?: Confinement | undefined;
}

/** How the operating system holds one command back. */
export interface Confinement {
  /** For people: by what. */
  readonly kind: SandboxKind;
  /** Absolute: protected files that it cannot hold. Where there are any, the question has to be asked. */
  readonly gaps: readonly string[];
  /** Absolute: of what a command says that it could not change, what it was kept from. */
  blocked(named: readonly string[]): Promise<Pick<SandboxBlock, 'paths' | 'folders'>>;
  /** Hosts that it wanted and may not reach, as far as that is known by now; or why it can reach none at all. */
  network(): { readonly refused: readonly string[] } | { readonly missing: string };
  /** What to start instead. */
  wrap(start: ProgramStart): ProgramStart;
  /** The command has ended, with all that it started. */
  release(): Promise<void>;
}

export interface ProgramStart {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ShellProcess {
  /** Also the id of its process group. Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<ShellExit>;
  /** As the terminal gets it, colours and all. */
  onOutput(listener: (chunk: string) => void): () => void;
  /** False for one that is not on a terminal; absent means true. */
  readonly takesInput?: boolean;
  write(input: string): void;
  resize(columns: number, rows: number): void;
  /** The whole process group: asked to end, then made to. */
  kill(): Promise<void>;
}

export interface ShellExit {
  readonly exitCode: number | null;
  /** What ended it; then the exit code is 128 and its number, as in shells. */
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly failure?: string;
  /** What the command started and what outlives it, by process id. */
  readonly leftRunning?: readonly number[];
}

/** Shows commands where people can watch them, and type into them. */
export interface TerminalsPort {
  /** A command has just been started. Nothing takes the focus. */
  show(command: TerminalCommand): void;
  /** Because the user asked for it: shows the terminal of a command and gives it the focus. False if it has none. */
  reveal(sessionId: string, callId: string): boolean;
}

/** A command as a terminal shows it, from its first character on. */
export interface TerminalCommand {
  readonly sessionId: string;
  readonly callId: string;
  /** In one line and cut where it is long, with nothing in it that cannot be seen. */
  readonly label: string;
  /** The whole of it, with nothing in it that cannot be seen. */
  readonly text: string;
  /** Absolute. */
  readonly folder: string;
  /** By what the operating system holds it back; undefined when it does not. */
  readonly confinedBy: SandboxKind | undefined;
  /** False where it cannot be typed into. */
  readonly takesInput: boolean;
  readonly ended: Promise<ShellExit>;
  /** Nobody waits for it. */
  isInBackground(): boolean;
  /** A person or the agent made it end, so its end is no news. */
  wasStopped(): boolean;
  /** The end of what it has written, at most so many characters. */
  outputSoFar(chars: number): string;
  onOutput(listener: (chunk: string) => void): () => void;
  write(input: string): void;
  resize(columns: number, rows: number): void;
  /** The user closed its terminal: it ends, and the model is told why. */
  close(): void;
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
  /** Whether the user wants that model or none: no other takes over when it does not answer. Absent where they are asked. */
  keepsModel?(): boolean;
  /** Empty for Google's own endpoint. */
  baseUrl(): string;
  /** How often a request is sent that the service did not answer, 1 to 10. */
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
  /** How long a question waits for an answer before it counts as a no; 0 for ever. */
  answerMinutes(): number;
  /** Whether a model that goes in circles is told so, and stopped. */
  loopDetection(): boolean;
  /** Further policy files or folders, absolute. */
  policyPaths(): readonly string[];
  /** Whether secrets are left out of what is sent. The user's own keys always are. */
  redactsSecrets(): boolean;
  /** How long conversations are kept; 0 for ever. */
  retention(): { readonly days: number; readonly count: number };
  /** What files with instructions are called; empty when the user named none. Absent where there is no such setting. */
  contextFileNames?(): readonly string[];
  /** From which share of the window on the conversation is compressed by itself; above 0, at most 1. */
  compressionThreshold(): number;
  /** How commands are confined. Absent where that cannot be said: they are not. Never from a folder. */
  sandbox?(): SandboxSettings;
  /** MCP servers by name, as the user set them, unread. Never from a folder. */
  mcpServers?(): unknown;
  /** Absolute: files of the user's with MCP servers, in VS Code's format. */
  mcpFiles?(): readonly string[];
}

/** `auto`: where the machine can. `required`: nothing runs where it cannot. */
export type SandboxMode = 'auto' | 'required' | 'off';

export interface SandboxSettings {
  readonly mode: SandboxMode;
  /** What runs inside needs no approval. */
  readonly autoAllow: boolean;
  /** The user has said neither yes nor no to that, so they may be asked. */
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

export interface SecretPort {
  apiKey(): Promise<string | undefined>;
  /** Absent where nobody can sign in. */
  readonly login?: LoginStore;
  /** What signing in to MCP servers has left. Absent where nobody can. */
  readonly mcpLogins?: McpLoginStore;
}

/** What the user decided about MCP servers in this workspace. */
export interface McpPort {
  isDisabled(name: string): boolean;
}

/** One text for each server, kept where secrets are. */
export interface McpLoginStore {
  read(key: string): Promise<string | undefined>;
  /** Undefined removes it. */
  write(key: string, text: string | undefined): Promise<void>;
}

/** What signing in with Google has left, as one text. */
export interface LoginStore {
  read(): Promise<string | undefined>;
  /** Does nothing when another text is stored by now: whoever signed out meanwhile stays signed out. */
  replace(expected: string, text: string): Promise<void>;
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

export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** `cause` is written with its stack. */
  error(message: string, cause?: unknown): void;
}

export interface Clock {
  now(): number;
  /** Resolves when the time is over or the signal fires. Real time unless given. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to 1, so that waits differ. Really random unless given. */
  random?(): number;
  /** Calls once after so many milliseconds; what it returns prevents that. Real time unless given. */
  alarm?(ms: number, ring: () => void): () => void;
}

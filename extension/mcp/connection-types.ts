import type { McpLoginStore } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import type { Confinement } from '../ports/shell.ts';

/** A tool as its server tells of it, as far as it could be read. */
export interface ServerTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface ServerPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly { readonly name: string; readonly description?: string; readonly required: boolean }[];
}

export interface ServerResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Why a request has no answer. */
export interface RequestFailure {
  readonly kind: /** Nothing came in time. */
    | 'timeout'
    /** The server is gone, or has forgotten us. */
    | 'closed'
    | 'sign-in'
    /** The caller has cancelled the request. */
    | 'cancelled'
    /** The server says so, or its answer makes no sense. */
    | 'error';
  readonly message: string;
  /** The server has certainly not done it, so it may be asked once more. */
  readonly isUntouched?: boolean;
}

export type ServerAnswer<Value> = { readonly value: Value } | { readonly failed: RequestFailure };

export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** What a server asks a person in the middle of something. */
export interface ServerQuestion {
  readonly message: string;
  /** JSON Schema of an object with plain values. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ServerQuestionAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' };

export interface ConnectionPorts {
  readonly log: Logger;
  readonly version: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute folders that the server may be told about. */
  readonly roots: () => readonly string[];
  /** Where a program runs whose definition names no folder. */
  readonly folder: string;
  readonly signIn: SignInPort | undefined;
  /** What holds the program of the server back. */
  readonly confinement: Confinement | undefined;
  readonly ask: (question: ServerQuestion, signal: AbortSignal) => Promise<ServerQuestionAnswer>;
  /** One of its lists has changed. */
  readonly changed: (what: ServerList) => void;
  /** It ended by itself. */
  readonly closed: (reason: string) => void;
  /** It said what makes no sense before it had introduced itself. It may still do that. */
  readonly confused: (what: string) => void;
}

export type ServerList = 'tools' | 'prompts' | 'resources';

/** A server that has introduced itself. Nothing here rejects. */
export interface McpConnection {
  readonly lists: ReadonlySet<ServerList>;
  readonly instructions: string | undefined;
  listTools(options: RequestOptions): Promise<ServerAnswer<readonly ServerTool[]>>;
  listPrompts(options: RequestOptions): Promise<ServerAnswer<readonly ServerPrompt[]>>;
  listResources(options: RequestOptions): Promise<ServerAnswer<readonly ServerResource[]>>;
  /** The result as the server sent it: to be read with care. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: RequestOptions,
  ): Promise<ServerAnswer<unknown>>;
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: RequestOptions,
  ): Promise<ServerAnswer<unknown>>;
  readResource(uri: string, options: RequestOptions): Promise<ServerAnswer<unknown>>;
  /** Whether it still answers. */
  isAlive(limitMs: number): Promise<boolean>;
  rootsChanged(): void;
  close(): Promise<void>;
}

export type Opened = { readonly connection: McpConnection } | { readonly failed: RequestFailure };

/** Something that one of the servers offers. */
export type OfServer<Value> = Value & { readonly server: string };

/** What signing in to one server needs. */
export interface SignInPort {
  readonly store: McpLoginStore;
  /** By which the login of this server, at this address, is kept. */
  readonly key: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** Only while the user signs in: otherwise nothing opens a browser. */
  readonly browser?: SignInBrowser;
}

/** Leads the user through a page and brings back what it led to. */
export interface SignInBrowser {
  /** Where the page leads back to. */
  readonly redirectUrl: string;
  /** Shows the page and resolves with the parameters it came back with. Rejects when nothing comes back. */
  authorize(url: string, signal: AbortSignal): Promise<{ readonly code: string; readonly state: string }>;
}

import type { McpLoginStore } from '../ports/host.ts';
import type { Logger } from '../ports/logger.ts';
import type { Confinement } from '../ports/shell.ts';

/** A tool as its server describes it, as far as the description is valid. */
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

/** The reason why a request failed. */
export interface RequestFailure {
  readonly kind: /** Nothing came in time. */
    | 'timeout'
    /** The server is gone or has forgotten the session. */
    | 'closed'
    | 'sign-in'
    /** The caller has cancelled the request. */
    | 'cancelled'
    /** The server reports an error, or its response is invalid. */
    | 'error';
  readonly message: string;
  /** The server has certainly not processed the request, so it may be repeated once. */
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

/** A question that a server asks a person during a call. */
export interface ServerQuestion {
  readonly message: string;
  /** The JSON Schema of an object with primitive values. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type ServerQuestionAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' };

export interface ConnectionPorts {
  readonly log: Logger;
  readonly version: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute folders that the server may learn about. */
  readonly roots: () => readonly string[];
  /** The folder for a program whose definition names none. */
  readonly folder: string;
  readonly signIn: SignInPort | undefined;
  /** The sandbox of the server's program. */
  readonly confinement: Confinement | undefined;
  readonly ask: (question: ServerQuestion, signal: AbortSignal) => Promise<ServerQuestionAnswer>;
  /** Called if one of the server's lists has changed. */
  readonly changed: (what: ServerList) => void;
  /** Called if the server ended by itself. */
  readonly closed: (reason: string) => void;
  /** Called if the server sent something invalid before it was initialized. The initialization may still succeed. */
  readonly confused: (what: string) => void;
}

export type ServerList = 'tools' | 'prompts' | 'resources';

/** A server that has been initialized. None of the methods rejects. */
export interface McpConnection {
  readonly lists: ReadonlySet<ServerList>;
  readonly instructions: string | undefined;
  listTools(options: RequestOptions): Promise<ServerAnswer<readonly ServerTool[]>>;
  listPrompts(options: RequestOptions): Promise<ServerAnswer<readonly ServerPrompt[]>>;
  listResources(options: RequestOptions): Promise<ServerAnswer<readonly ServerResource[]>>;
  /** The result as the server sent it. It is not validated. */
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

/** Something that a server offers, with the name of the server. */
export type OfServer<Value> = Value & { readonly server: string };

/** Settings and storage for signing in to one server. */
export interface SignInPort {
  readonly store: McpLoginStore;
  /** The key under which the login for this server and address is stored. */
  readonly key: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
  /** Who the tokens are for, at authorization servers that want to know (Auth0 is one). */
  readonly audiences?: readonly string[];
  /** The authorization server as somebody configured it. Otherwise, the server is asked for it. */
  readonly authorization?: AuthorizationServer;
  /** Renews logins where the user signed in, wherever the server says that its logins come from now. */
  readonly staysThere?: boolean;
  /** Only set while the user signs in. Otherwise, nothing opens a browser. */
  readonly browser?: SignInBrowser;
}

/** Either its issuer, whose metadata has the rest, or its addresses. */
export type AuthorizationServer =
  | { readonly issuer: string }
  | { readonly authorizationUrl: string; readonly tokenUrl: string; readonly registrationUrl?: string | undefined };

/** Shows the user a sign-in page and returns its result. */
export interface SignInBrowser {
  /** The URL to which the page redirects. */
  readonly redirectUrl: string;
  /** Shows the page and resolves with the parameters of its redirect. Rejects if there is no redirect. */
  authorize(url: string, signal: AbortSignal): Promise<{ readonly code: string; readonly state: string }>;
}

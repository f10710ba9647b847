export interface SecretPort {
  apiKey(): Promise<string | undefined>;
  /** Absent where nobody can sign in. */
  readonly login?: LoginStore;
  /** What signing in to MCP servers has left. Absent where nobody can. */
  readonly mcpLogins?: McpLoginStore;
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

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

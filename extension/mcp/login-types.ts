import type { McpLoginStore } from '../ports/secrets.ts';

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

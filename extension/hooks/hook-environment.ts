export interface HookPlace {
  readonly sessionId: string;
  /** Absolute: where hooks run. */
  readonly folder: string;
  /** Absolute; empty where there is none. */
  readonly plansFolder: string;
}

/** Keys that Gantry itself signs in with. A hook that needs one names it in its own `env`. */
const OWN_KEYS: ReadonlySet<string> = new Set(['GEMINI_API_KEY', 'GOOGLE_API_KEY']);

/** What a hook finds in its environment. */
export function hookEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { sessionId, folder, plansFolder }: HookPlace,
  own: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  const inherited = Object.entries(environment).filter(([name]) => !OWN_KEYS.has(name.toUpperCase()));
  return {
    ...Object.fromEntries(inherited),
    // Node's pipes are sockets, which the outermost bash takes for a remote login: it would read ~/.bashrc first.
    SHLVL: String(Math.max(1, Number(environment['SHLVL']) || 1)),
    GEMINI_PROJECT_DIR: folder,
    GEMINI_CWD: folder,
    CLAUDE_PROJECT_DIR: folder,
    GEMINI_PLANS_DIR: plansFolder,
    GEMINI_SESSION_ID: sessionId,
    ...own,
  };
}

import { commandEnvironment } from '../processes/shell/clean-environment.ts';

export interface HookPlace {
  readonly sessionId: string;
  /** The absolute path of the folder in which hooks run. */
  readonly folder: string;
  /** An absolute path; empty if there is none. */
  readonly plansFolder: string;
}

/**
 * The environment of a hook, which is that of commands. A hook that needs one of Gantry's keys names it in its `env`.
 */
export function hookEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { sessionId, folder, plansFolder }: HookPlace,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    ...commandEnvironment(environment),
    // Node's pipes are sockets, so the outermost bash would assume a remote login and read ~/.bashrc first.
    SHLVL: String(Math.max(1, Number(environment['SHLVL']) || 1)),
    GEMINI_PROJECT_DIR: folder,
    GEMINI_CWD: folder,
    CLAUDE_PROJECT_DIR: folder,
    GEMINI_PLANS_DIR: plansFolder,
    GEMINI_SESSION_ID: sessionId,
    ...own,
  };
}

/** Replaces the variables for the project folder in a command. */
export function inProjectFolder(command: string, folder: string): string {
  return command.replace(/\$(?:(\w+)|\{(\w+)\})/g, (written, plain: string | undefined, braced: string | undefined) =>
    FOLDERS.has(plain ?? braced ?? '') ? folder : written,
  );
}

const FOLDERS: ReadonlySet<string> = new Set(['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'CLAUDE_PROJECT_DIR', 'PWD']);

import { commandEnvironment } from '../processes/shell/clean-environment.ts';

export interface HookPlace {
  readonly sessionId: string;
  /** Absolute: where hooks run. */
  readonly folder: string;
  /** Absolute; empty where there is none. */
  readonly plansFolder: string;
}

/** A hook's environment is that of commands. A hook that needs one of our keys names it in its own `env`. */
export function hookEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { sessionId, folder, plansFolder }: HookPlace,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    ...commandEnvironment(environment),
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

/** A command with the folder in place of the variables that hooks find it in. */
export function inProjectFolder(command: string, folder: string): string {
  return command.replace(/\$(?:(\w+)|\{(\w+)\})/g, (written, plain: string | undefined, braced: string | undefined) =>
    FOLDERS.has(plain ?? braced ?? '') ? folder : written,
  );
}

const FOLDERS: ReadonlySet<string> = new Set(['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'CLAUDE_PROJECT_DIR', 'PWD']);

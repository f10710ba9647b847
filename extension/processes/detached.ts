import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

export interface DetachedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The file that stdout and stderr are appended to. Only the user may read it. */
  readonly log: string;
  /** Whether it gets a session of its own, so that it survives this process and its terminal. */
  readonly leads: boolean;
}

export interface DetachedProcess {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined;
  /** Undefined while it runs. Null if a signal ended it, or it could not be started. */
  readonly exitCode: number | null | undefined;
  kill(signal: NodeJS.Signals): void;
  /** From now on, this process may end before the other one. */
  leave(): void;
}

/** Starts a program that has no pipes to this process: it reads nothing, and writes to a file. */
export function startDetached({ file, args, folder, environment, log, leads }: DetachedProgram): DetachedProcess {
  const output = openSync(log, 'a', 0o600);
  const child = spawn(file, [...args], {
    cwd: folder,
    env: environment,
    detached: leads,
    windowsHide: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  let exitCode: number | null | undefined;
  child.once('exit', (code) => {
    exitCode = code;
  });
  child.once('error', () => {
    exitCode = null;
  });
  return {
    pid: child.pid,
    get exitCode() {
      return exitCode;
    },
    kill: (signal) => void child.kill(signal),
    leave: () => child.unref(),
  };
}

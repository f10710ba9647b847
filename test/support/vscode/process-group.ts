import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { atExit } from '../at-exit.ts';

export interface ProcessGroup {
  readonly child: ChildProcess;
  kill(): Promise<void>;
}

/** Starts a program and all its later children in one group, which does not outlive this process. */
export function spawnGroup(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd?: string,
): ProcessGroup {
  const child = spawn(program, [...args], {
    cwd,
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const forget = atExit(() => killNow(child));
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    child,
    kill: async () => {
      killNow(child);
      await gone;
      forget();
    },
  };
}

function killNow(child: ChildProcess): void {
  if (child.pid === undefined) {
    return;
  }
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the whole group has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) {
      throw error;
    }
  }
}

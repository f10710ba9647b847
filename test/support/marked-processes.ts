import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from './poll.ts';

export interface ProcessMark {
  /** The environment for processes to start. */
  readonly environment: Readonly<Record<string, string>>;
  /** The processes that have the mark, without zombies. Works only on Linux. */
  running(): readonly number[];
  /** Fails unless all of them end. */
  expectNone(): Promise<void>;
}

/** An environment variable that identifies the processes of a test, wherever they moved. */
export function createProcessMark(): ProcessMark {
  const value = randomUUID();
  const running = (): readonly number[] => {
    if (process.platform !== 'linux') return [];
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.filter((pid) => hasVariable(pid, value)).map(Number);
  };
  return {
    environment: { GANTRY_TEST_MARK: value },
    running,
    expectNone: async () => {
      await eventually('the processes of the test to be gone', () => running().length === 0, { timeoutMs: 10_000 });
    },
  };
}

function hasVariable(pid: string, value: string): boolean {
  try {
    const isZombie = /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return !isZombie && readFileSync(`/proc/${pid}/environ`).includes(`GANTRY_TEST_MARK=${value}\0`);
  } catch {
    return false;
  }
}

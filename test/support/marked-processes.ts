import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from './poll.ts';

export interface ProcessMark {
  /** For the environment of what is started. */
  readonly environment: Readonly<Record<string, string>>;
  /** Processes that have it, zombies not counted. Only Linux tells. */
  running(): readonly number[];
  /** Fails unless all of them end. */
  expectNone(): Promise<void>;
}

/** A variable that tells which processes come from a test, wherever they have gone. */
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

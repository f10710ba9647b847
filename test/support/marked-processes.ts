import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { eventually } from './poll.ts';

export interface ProcessMark {
  /** The environment for processes to start. */
  readonly environment: Readonly<Record<string, string>>;
  /** The processes that have the mark, without zombies, or those with this text in their command line. Works only on Linux. */
  running(commandText?: string): readonly number[];
  /** Fails unless all of them end. */
  expectNone(): Promise<void>;
}

/** An environment variable that identifies the processes of a test, wherever they moved. */
export function createProcessMark(): ProcessMark {
  const value = randomUUID();
  const running = (commandText = ''): readonly number[] => {
    if (process.platform !== 'linux') return [];
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.filter((pid) => isMarked(pid, value, commandText)).map(Number);
  };
  return {
    environment: { GANTRY_TEST_MARK: value },
    running,
    expectNone: async () => {
      await eventually('the processes of the test to be gone', () => running().length === 0, { timeoutMs: 10_000 });
    },
  };
}

function isMarked(pid: string, value: string, commandText: string): boolean {
  try {
    const isZombie = /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return (
      !isZombie &&
      readFileSync(`/proc/${pid}/environ`).includes(`GANTRY_TEST_MARK=${value}\0`) &&
      readFileSync(`/proc/${pid}/cmdline`).includes(commandText)
    );
  } catch {
    // It has ended in the meantime, or belongs to someone else.
    return false;
  }
}

/** The command lines of the processes that this one has started and that still run. Works only on Linux. */
export function commandsStartedBy(parent: number): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, state = '', ppid = ''] = /\) (\S) (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        if (Number(ppid) !== parent || state === 'Z') return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()];
      } catch {
        return [];
      }
    });
}

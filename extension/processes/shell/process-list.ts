import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Ended, and nobody has asked how: there is nothing left to end. */
  readonly isZombie: boolean;
  /** It has the mark in its environment: a command of ours, or what it started. */
  readonly isMarked: boolean;
}

/** The variable that tells what a command has started, even after it left the command's process group and parents. */
export const MARK = 'GANTRY_COMMAND';

/** All processes of the machine. Only Linux shows the environment of others; elsewhere nothing is marked. */
export function listProcesses(mark: string): Promise<readonly ProcessEntry[]> {
  if (process.platform === 'linux') return readProc(mark);
  return process.platform === 'win32' ? Promise.resolve([]) : askPs();
}

async function readProc(mark: string): Promise<readonly ProcessEntry[]> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const needle = Buffer.from(`${MARK}=${mark}\0`);
  const entries: ProcessEntry[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    // A process may end between the two, and that of another user keeps its environment to itself.
    const entry = parseStat(told(`/proc/${pid}/stat`).toString('utf8'), told(`/proc/${pid}/environ`).includes(needle));
    if (entry) entries.push(entry);
  }
  return entries;
}

/** What is in `/proc` is in memory: each is read in some 20 µs, of which many in a row would be felt. */
const AT_ONCE = 100;

function told(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** `pid (name) state ppid pgrp …`, where the name may contain anything, parentheses too. */
function parseStat(stat: string, isMarked: boolean): ProcessEntry | undefined {
  const [, pid, state = '', parent, group] = /^(\d+) \(.*\) (\S) (\d+) (\d+) /s.exec(stat) ?? [];
  if (pid === undefined) return undefined;
  return { pid: Number(pid), parent: Number(parent), group: Number(group), isZombie: /[ZX]/.test(state), isMarked };
}

async function askPs(): Promise<readonly ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axo', 'pid=,ppid=,pgid=,stat='], { timeout: 5000 });
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, group, state = ''] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        isZombie: state.startsWith('Z'),
        isMarked: false,
      },
    ];
  });
}

/**
 * What a command has started and what is still there. A process id that is free may be given to a stranger, so the
 * command's own id counts only while it runs, or where there are no marks to go by.
 */
export function familyOf(processes: readonly ProcessEntry[], root: number, countsRoot: boolean): readonly number[] {
  const family = new Set(
    processes
      .filter(({ pid, group, isMarked }) => isMarked || (countsRoot && (pid === root || group === root)))
      .map(({ pid }) => pid),
  );
  for (let size = -1; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes
    .filter(({ pid, isZombie }) => family.has(pid) && !isZombie && pid > 1 && pid !== process.pid)
    .map(({ pid }) => pid);
}

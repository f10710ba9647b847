import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The process has ended but was not reaped, so there is nothing left to end. */
  readonly isZombie: boolean;
  /** The environment contains the mark, so this is one of our commands, or a process that it started. */
  readonly isMarked: boolean;
}

/** The variable that identifies a command's processes, even outside of its process group and process tree. */
export const MARK = 'GANTRY_COMMAND';

/** All processes of the machine. Only Linux shows the environment of others; elsewhere, no process is marked. */
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
    // A process may end between the two reads, and another user's environment is unreadable.
    const entry = parseStat(
      readBytes(`/proc/${pid}/stat`).toString('utf8'),
      readBytes(`/proc/${pid}/environ`).includes(needle),
    );
    if (entry) entries.push(entry);
  }
  return entries;
}

/** `/proc` is in memory, so each file takes about 20 µs to read, but many in a row would block noticeably. */
const AT_ONCE = 100;

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** `pid (name) state ppid pgrp …`. The name may contain anything, including parentheses. */
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
 * The processes of a command that still exist. A free process id may be reused for an unrelated process, so the
 * command's own id only counts while it runs, or where there are no marks.
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

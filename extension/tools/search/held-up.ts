import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { bareEnvironment, runProgram } from '../../processes/run-program.ts';

/** Most searches have ended by then. */
const FIRST_LOOK_MS = 20;
/** The longest interval, so that a search of several seconds is checked only a few times. */
const MOST_BETWEEN_MS = 320;
/** ripgrep needs some hundred MB for long lines. Reading from an endless device, it takes half a GB per second. */
const MOST_MEMORY_KB = 1024 * 1024;
const ORDINARY_MEMORY_KB = 32 * 1024;

/**
 * Calls `held` if a search is blocked or would be: ripgrep opens each `.gitignore`, which can be a named pipe that
 * nobody writes to, or a link to a device. `written` returns the number of bytes of output so far. Returns a function
 * that stops the checks.
 */
export function whenHeldUp(pid: number, written: () => number, held: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let before = '';
  const look = async (pause: number): Promise<void> => {
    const { isHeld, seen = '' } = await lookAt(pid, written, before);
    before = seen;
    if (isOver) return;
    if (isHeld) held();
    else plan(Math.min(2 * pause, MOST_BETWEEN_MS));
  };
  const plan = (pause: number): void => {
    timer = setTimeout(() => void look(pause), pause);
  };
  plan(FIRST_LOOK_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

interface Look {
  readonly isHeld: boolean;
  /** The state to compare with at the next check. */
  readonly seen?: string;
}

async function lookAt(pid: number, written: () => number, before: string): Promise<Look> {
  if (process.platform === 'linux') return lookInProc(pid, before);
  if (process.platform === 'win32') return { isHeld: false };
  return lookOfPs(`${await psLine(pid)} ${written()}`, before);
}

/** Reads `/proc` synchronously: it is in memory, and that costs only a tenth. */
function lookInProc(pid: number, before: string): Look {
  const about = `/proc/${pid}`;
  const status = readText(`${about}/stat`)
    .replace(/^.*\) /, '')
    .split(' ');
  const [seen, pages] = [`${status[USER_TIME]} ${status[SYSTEM_TIME]}`, Number(status[RESIDENT_PAGES])];
  const isAtWork = seen !== (before || '0 0') && pages * PAGE_KB < ORDINARY_MEMORY_KB;
  return { isHeld: !isAtWork && (waitsOrReads(about) || pages * PAGE_KB > MOST_MEMORY_KB), seen };
}

/** Field numbers of proc_pid_stat(5), counted after the name of the program. */
const [USER_TIME, SYSTEM_TIME, RESIDENT_PAGES] = [11, 12, 21];
/** The smallest page size. */
const PAGE_KB = 4;

/** proc_pid_wchan(5) names the kernel function in which a thread sleeps: `wait_for_partner` opens a named pipe. */
function waitsOrReads(about: string): boolean {
  return (
    entriesOf(`${about}/task`).some((thread) => readText(`${thread}/wchan`) === 'wait_for_partner') ||
    entriesOf(`${about}/fd`).some((file) => DEVICE.test(readText(file, readlinkSync)))
  );
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

const DEVICE = /^\/dev\/(?!null$|shm\/)/;

/** Empty if reading fails, because threads and open files can disappear at any time. */
function readText(path: string, read = (file: string): string => readFileSync(file, 'utf8')): string {
  try {
    return read(path);
  } catch {
    return '';
  }
}

async function psLine(pid: number): Promise<string> {
  const { stdout } = await runProgram({
    file: '/bin/ps',
    args: ['-o', 'state=,time=,rss=', '-p', String(pid)],
    folder: '/',
    environment: bareEnvironment(process.env),
    signal: new AbortController().signal,
    timeoutMs: 1000,
    maxBytes: 1000,
  });
  return stdout.trim();
}

/** Without `/proc`: the process sleeps, and has used no processor time and written nothing since the last check. */
export function lookOfPs(seen: string, before: string): Look {
  const [state = '', , memory] = seen.split(/\s+/);
  return { isHeld: (/^[SI]/.test(state) && seen === before) || Number(memory) > MOST_MEMORY_KB, seen };
}

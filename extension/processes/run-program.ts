import { type ChildProcess, spawn } from 'node:child_process';
import { type Alarm, realAlarm } from '../ports/clock.ts';
import { holdsWithin } from './holds-within.ts';
import { killGroup } from './kill-group.ts';
import { startFailure } from './start-failure.ts';

export interface ProgramRun {
  /** An absolute path, or a name that is searched on the PATH of `environment`. Never a command line. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  /** The complete environment of the program. Nothing is added. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The standard input, which is closed after it. Without it, the program has no standard input. */
  readonly input?: string | Uint8Array;
  /** Aborting ends the program and everything that it started. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The maximum size of stdout and of stderr. Additional output is read and dropped. */
  readonly maxBytes: number;
  /** Called with stdout as it arrives, and must not throw. `stdout` of the result is then empty. */
  readonly onStdout?: (chunk: Buffer) => void;
  readonly onStarted?: (pid: number) => void;
  /** For `timeoutMs`. Defaults to real time. */
  readonly alarm?: Alarm | undefined;
}

export interface ProgramEnd {
  /** Null if the program was ended by a signal or didn't start. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** There was more output than `maxBytes`. */
  readonly truncated: boolean;
  /** Why it could not be started. */
  readonly failure?: string;
}

/** A child process that keeps running can keep the pipes open. The program's own output has arrived by then. */
const PIPE_WAIT_MS = 200;
const LOOK_EVERY_MS = 10;

/**
 * Starts a program with its arguments as they are, without a shell, in its own process group. Abort and timeout end the
 * whole group, even if it ignores SIGTERM, and then the promise resolves. It never rejects.
 */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  if (run.signal.aborted) return notStarted('It was cancelled before it started.');
  let child: ChildProcess;
  try {
    child = start(run);
  } catch (error) {
    return notStarted(startFailure(error, run));
  }
  return watch(child, run);
}

function start({ file, args, folder, environment, input }: ProgramRun): ChildProcess {
  return spawn(file, [...args], {
    cwd: folder,
    env: { ...environment },
    shell: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
}

async function watch(child: ChildProcess, run: ProgramRun): Promise<ProgramEnd> {
  const stdout = new Output(run.maxBytes, run.onStdout);
  const stderr = new Output(run.maxBytes);
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
  // A program that doesn't read all of its input closes the pipe, which is fine.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(run.input);

  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('exit', () => resolve(undefined));
    child.once('error', (error) => resolve(startFailure(error, run)));
  });
  const interruption = interruptionOf(run, child.pid);
  if (child.pid !== undefined) run.onStarted?.(child.pid);
  const failure = await Promise.race([ended, interruption.done]);
  await interruption.settle();
  endLeftovers(child);
  await Promise.race([closed, holdsWithin(PIPE_WAIT_MS, LOOK_EVERY_MS, () => isClosed)]);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  if (failure !== undefined) return notStarted(failure);
  return {
    exitCode: child.exitCode,
    signal: child.signalCode,
    stdout: stdout.text(),
    stderr: stderr.text(),
    timedOut: interruption.timedOut(),
    truncated: stdout.truncated || stderr.truncated,
  };
}

/** Ends processes that the program left behind, without waiting. On Windows, a dead parent has no process tree. */
function endLeftovers({ pid }: ChildProcess): void {
  if (pid !== undefined && process.platform !== 'win32') void killGroup(pid);
}

interface Interruption {
  /** Resolves when the group was ended. Never resolves without an interruption. */
  readonly done: Promise<undefined>;
  timedOut(): boolean;
  /** Prevents further interruptions and waits for one that has begun. */
  settle(): Promise<void>;
}

function interruptionOf({ signal, timeoutMs, alarm = realAlarm }: ProgramRun, pid: number | undefined): Interruption {
  let killing: Promise<void> | undefined;
  let timedOut = false;
  let finish: (value: undefined) => void;
  const done = new Promise<undefined>((resolve) => {
    finish = resolve;
  });
  const interrupt = (): void => {
    killing ??= killGroup(pid ?? 0).then(() => finish(undefined));
  };
  const cancelTimeout = alarm(timeoutMs, () => {
    timedOut = killing === undefined;
    interrupt();
  });
  signal.addEventListener('abort', interrupt, { once: true });
  return {
    done,
    timedOut: () => timedOut,
    settle: async () => {
      cancelTimeout();
      signal.removeEventListener('abort', interrupt);
      await killing;
    },
  };
}

/** One output stream of a program, collected or passed on up to a limit. */
class Output {
  truncated = false;
  private readonly chunks: Buffer[] = [];
  private left: number;

  constructor(
    maxBytes: number,
    private readonly passOn?: (chunk: Buffer) => void,
  ) {
    this.left = maxBytes;
  }

  add(chunk: Buffer): void {
    if (chunk.length > this.left) this.truncated = true;
    const kept = chunk.subarray(0, this.left);
    this.left -= kept.length;
    if (kept.length === 0) return;
    if (this.passOn) this.passOn(kept);
    else this.chunks.push(kept);
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

function notStarted(failure: string): ProgramEnd {
  return { exitCode: null, signal: null, stdout: '', stderr: '', timedOut: false, truncated: false, failure };
}

/** Variables that a program needs to start on Windows, and the language of its messages. */
const BARE = /^(LANG|LC_[A-Z]+|SYSTEMROOT|WINDIR)$/i;

/**
 * The environment for a program that must not be influenced: no PATH to find other programs, no home with settings, and
 * no variables that are settings themselves, such as `RIPGREP_CONFIG_PATH`, which can name a command to run.
 */
export function bareEnvironment(base: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(base).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return BARE.test(name) && value !== undefined;
  });
  return Object.fromEntries(kept);
}

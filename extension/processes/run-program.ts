import { type ChildProcess, spawn } from 'node:child_process';

export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Given to it on stdin. */
  readonly input?: string;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Of stdout and of stderr each. */
  readonly maxBytes: number;
}

export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** There was more output than is kept. */
  readonly truncated: boolean;
  /** Why it could not be started. */
  readonly failure?: string;
}

/** Runs a program to its end and never rejects. At the time limit and on abort its whole process group is killed. */
export function runProgram(start: ProgramStart): Promise<ProgramEnd> {
  const { file, args, folder, environment, input, signal, timeoutMs, maxBytes } = start;
  if (signal.aborted) return Promise.resolve({ ...NOTHING, failure: 'It was stopped before it started.' });
  return new Promise((resolve) => {
    const child = spawn(file, [...args], { cwd: folder, env: { ...environment }, detached: !IS_WINDOWS });
    const stdout = new Gathered(maxBytes);
    const stderr = new Gathered(maxBytes);
    let timedOut = false;
    const end = (exit: Pick<ProgramEnd, 'exitCode' | 'signal'>, failure?: string): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      // What it left behind in its group ends with it, and no pipe of a runaway keeps this process alive.
      killGroup(child);
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
      const truncated = stdout.isFull || stderr.isFull;
      const told = { ...exit, stdout: stdout.text(), stderr: stderr.text(), timedOut, truncated };
      resolve(failure === undefined ? told : { ...told, failure });
    };
    const stop = (): void => end({ exitCode: null, signal: 'SIGKILL' });
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
    // It may end without reading what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.on('error', (error) => end({ exitCode: null, signal: null }, error.message));
    child.on('close', (exitCode, killedBy) => end({ exitCode, signal: killedBy }));
    // A process that it left running may hold the pipes open: the last output is waited for, not that process.
    child.on('exit', (exitCode, killedBy) => setTimeout(() => end({ exitCode, signal: killedBy }), LAST_OUTPUT_MS));
  });
}

const IS_WINDOWS = process.platform === 'win32';
const LAST_OUTPUT_MS = 250;
const NOTHING: ProgramEnd = {
  exitCode: null,
  signal: null,
  stdout: '',
  stderr: '',
  timedOut: false,
  truncated: false,
};

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (IS_WINDOWS) {
    if (child.exitCode === null) spawn('taskkill', ['/pid', String(child.pid), '/f', '/t'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

class Gathered {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  isFull = false;

  constructor(private readonly limit: number) {}

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, this.limit - this.length);
    this.chunks.push(kept);
    this.length += kept.length;
    this.isFull ||= kept.length < chunk.length;
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

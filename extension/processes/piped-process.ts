import type { ChildProcess } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { killGroup } from './kill-group.ts';
import { Lines } from './lines.ts';
import { startFailure } from './start-failure.ts';

export interface PipedProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that keeps running and communicates over its standard input and output. */
export interface PipedProcess {
  readonly pid: number | undefined;
  /** Rejects if the program can't be started. */
  readonly started: Promise<void>;
  /** Resolves when the program has ended, even if it never started. */
  readonly ended: Promise<ProcessEnd>;
  readonly input: Writable;
  readonly output: Readable;
  /** Ends the program and everything that it started: first by closing its input, then by force. */
  kill(): Promise<void>;
}

const MAX_ERROR_LINE = 4096;

/**
 * Starts a program with its arguments as they are, in its own process group. On Windows, this also works for programs
 * that only a shell can start, such as `npx`, with arguments quoted for the shell. `errorLine` is called for each line
 * on stderr.
 */
export function startPipedProcess(program: PipedProgram, errorLine: (text: string) => void): PipedProcess {
  const child = spawn(program.file, [...program.args], {
    cwd: program.folder,
    env: { ...program.environment },
    shell: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: 'pipe',
  });
  // If the system has no resources for a process, there are no pipes either.
  const stdin = child.stdin ?? new PassThrough();
  const stdout = child.stdout ?? new PassThrough();
  const stderr = child.stderr ?? new PassThrough();
  const errors = new Lines(MAX_ERROR_LINE, errorLine, ({ head }) => errorLine(head));
  stderr.on('data', (chunk: Buffer) => errors.add(chunk));
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(startFailure(error, program))));
  });
  // A caller that only waits for the end needn't handle a failed start.
  started.catch(() => undefined);
  return {
    pid: child.pid,
    started,
    ended: endOf(child),
    input: stdin,
    output: stdout,
    kill: async () => {
      stdin.end();
      if (child.pid !== undefined) await killGroup(child.pid);
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
  };
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ exitCode: child.exitCode, signal: child.signalCode });
    // All output has arrived by `close`, but a child process that keeps the pipe open must not delay the end.
    child.once('close', end);
    child.once('exit', () => setTimeout(end, PIPE_WAIT_MS).unref());
    child.once('error', end);
  });
}

const PIPE_WAIT_MS = 200;

import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import { killGroup } from './kill-group.ts';
import { Lines, type OverlongLine } from './lines.ts';
import { startFailure } from './start-failure.ts';

export interface LineProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Only the beginning and the end of a longer line are kept. */
  readonly maxLineBytes: number;
}

export interface LineListeners {
  line(text: string): void;
  overlong(line: OverlongLine): void;
  /** Called for each line on stderr. */
  errorLine(text: string): void;
}

export interface LineProcessEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that keeps running and communicates line by line. */
export interface LineProcess {
  readonly pid: number | undefined;
  /** Rejects if the program can't be started. */
  readonly started: Promise<void>;
  /** Resolves when the program has ended, even if it never started. */
  readonly ended: Promise<LineProcessEnd>;
  /** Resolves when the program can take more input. Rejects if it no longer reads any. */
  write(line: string): Promise<void>;
  /** Ends the program and everything that it started: first by closing its input, then by force. */
  kill(): Promise<void>;
}

const MAX_ERROR_LINE = 4096;

/**
 * Starts a program with its arguments as they are, in its own process group. On Windows, this also works for programs
 * that only a shell can start, such as `npx`, with arguments quoted for the shell.
 */
export function startLineProcess(program: LineProgram, listeners: LineListeners): LineProcess {
  const child = spawn(program.file, [...program.args], {
    cwd: program.folder,
    env: { ...program.environment },
    shell: false,
    detached: process.platform !== 'win32',
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = new Lines(program.maxLineBytes, listeners.line, listeners.overlong);
  const errors = new Lines(MAX_ERROR_LINE, listeners.errorLine, ({ head }) => listeners.errorLine(head));
  child.stdout?.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr?.on('data', (chunk: Buffer) => errors.add(chunk));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(startFailure(error, program))));
  });
  // A caller that only waits for the end needn't handle a failed start.
  started.catch(() => undefined);
  const ended = endOf(child);
  return {
    pid: child.pid,
    started,
    ended,
    write: (line) => write(child, `${line}\n`),
    kill: async () => {
      child.stdin?.end();
      if (child.pid !== undefined) await killGroup(child.pid);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    },
  };
}

function endOf(child: ChildProcess): Promise<LineProcessEnd> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ exitCode: child.exitCode, signal: child.signalCode });
    // All output has arrived by `close`, but a child process that keeps the pipe open must not delay the end.
    child.once('close', end);
    child.once('exit', () => setTimeout(end, PIPE_WAIT_MS).unref());
    child.once('error', end);
  });
}

const PIPE_WAIT_MS = 200;

function write({ stdin }: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!stdin?.writable) reject(new Error('The program does not take any input.'));
    else stdin.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

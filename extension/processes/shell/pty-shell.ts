import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ShellPort, ShellProcess, ShellStart } from '../../ports/shell.ts';
import { startFailure } from '../start-failure.ts';
import { sendSignal } from './end-processes.ts';
import { exitStatus, signalName } from './exit-status.ts';
import { type PreparedStart, prepareStart, releasedAtEnd, type ShellOptions } from './prepare-start.ts';
import { EndMark, leaderArguments } from './session-leader.ts';
import { failedRun, ShellRun, type StartedShell } from './shell-run.ts';

/** The part of node-pty that is used. */
export interface PtyModule {
  spawn(file: string, args: string[], options: PtyOptions): Pty;
}

interface PtyOptions {
  readonly name: string;
  readonly cols: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

interface Pty {
  readonly pid: number;
  onData(listener: (chunk: string) => void): unknown;
  onExit(listener: (exit: { readonly exitCode: number; readonly signal?: number }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  write(input: string): void;
  resize(columns: number, rows: number): void;
}

/** Wider than most terminals, so that fewer lines of tables and logs are wrapped. */
export const DEFAULT_COLUMNS = 120;
export const DEFAULT_ROWS = 30;

/** Undefined if node-pty doesn't load: on an architecture for which it wasn't built, or with an old libc. */
export function loadPty(assets: string): PtyModule | undefined {
  try {
    // Resolves from the folder of assets, because this file is inside a bundle.
    return createRequire(join(assets, 'package.json'))('@lydell/node-pty');
  } catch {
    return undefined;
  }
}

/**
 * Runs commands in a pseudo-terminal: they behave as in the user's own terminal, and accept input. Output is passed on
 * as it is read, so a command that writes faster than that waits in the kernel.
 */
export class PtyShell implements ShellPort {
  private readonly pty: PtyModule;
  private readonly options: ShellOptions;

  constructor(pty: PtyModule, options: ShellOptions) {
    this.pty = pty;
    this.options = options;
  }

  start(command: string, start: ShellStart): ShellProcess {
    return releasedAtEnd(this.run(command, start), start);
  }

  private run(command: string, start: ShellStart): ShellProcess {
    const prepared = prepareStart(command, start, this.options);
    if ('failure' in prepared) return failedRun(prepared.failure);
    try {
      return new ShellRun(this.spawn(prepared, start), prepared);
    } catch (error) {
      return failedRun(startFailure(error, prepared));
    }
  }

  private spawn(prepared: PreparedStart, { columns, rows }: ShellStart): StartedShell {
    const { shell, file, args, folder, environment, mark } = prepared;
    const isWindows = process.platform === 'win32';
    const pty = this.pty.spawn(shell, isWindows ? [...args] : leaderArguments(mark, file, args), {
      name: 'xterm-256color',
      cols: columns ?? DEFAULT_COLUMNS,
      rows: rows ?? DEFAULT_ROWS,
      cwd: folder,
      env: { ...environment },
    });
    // Without a listener, node-pty throws errors of the terminal as uncaught exceptions. The exit event follows in any
    // case.
    pty.on('error', () => undefined);
    let marked: number | undefined;
    const endMark = new EndMark(mark);
    return {
      pid: pty.pid,
      // The event comes 200 ms after the end of the first process, even if another process keeps the terminal open.
      exit: new Promise((resolve) => {
        pty.onExit(({ exitCode, signal }) => {
          if (marked !== undefined) resolve(exitStatus(marked, null));
          else resolve(exitStatus(exitCode, signal ? signalName(signal) : null));
        });
      }),
      onOutput: (listener) => {
        pty.onData((chunk) => {
          const { text, exitCode } = endMark.push(chunk);
          if (text !== '') listener(text);
          if (exitCode === undefined) return;
          marked = exitCode;
          sendSignal(pty.pid, 'SIGKILL');
        });
      },
      write: (input) => pty.write(input),
      resize: (newColumns, newRows) => resizeIfOpen(pty, newColumns, newRows),
    };
  }
}

function resizeIfOpen(pty: Pty, columns: number, rows: number): void {
  try {
    pty.resize(columns, rows);
  } catch {
    // This throws between the terminal's end and its exit event.
  }
}

import { Emitter } from '../../base/emitter.ts';
import type { ShellExit, ShellProcess } from '../../ports/shell.ts';
import { holdsWithin } from '../holds-within.ts';
import { areGone, endProcesses, endWindowsTree, sendSignal } from './end-processes.ts';
import type { PreparedStart } from './prepare-start.ts';
import { familyOf, listProcesses } from './process-list.ts';

/** A started shell, in a terminal or on pipes. */
export interface StartedShell {
  readonly pid: number;
  /** Resolves when the shell has ended and its output was read. */
  readonly exit: Promise<Pick<ShellExit, 'exitCode' | 'signal'>>;
  onOutput(listener: (chunk: string) => void): void;
  write(input: string): void;
  resize(columns: number, rows: number): void;
}

/** A closing terminal hangs up on processes that still use it. Those that exist after this time mean to stay. */
const HANG_UP_MS = 150;
/** The event of a shell's end takes longer if another process keeps its terminal open. */
const END_MS = 2000;
const LOOK_EVERY_MS = 10;

/** One command, with everything it starts. */
export class ShellRun implements ShellProcess {
  readonly pid: number;
  readonly ended: Promise<ShellExit>;
  private readonly shell: StartedShell;
  private readonly mark: string;
  private readonly endsAlone: boolean;
  private readonly output = new Emitter<string>();
  private isRunning = true;
  private hasEnded = false;
  private mayHaveLeft = true;

  constructor(
    shell: StartedShell,
    { mark, endsAlone }: Pick<PreparedStart, 'mark' | 'endsAlone'>,
    readonly takesInput = true,
  ) {
    this.shell = shell;
    this.mark = mark;
    this.endsAlone = endsAlone;
    this.pid = shell.pid;
    shell.onOutput((chunk) => this.output.fire(chunk));
    this.ended = this.end().finally(() => {
      this.hasEnded = true;
    });
  }

  onOutput(listener: (chunk: string) => void): () => void {
    return this.output.on(listener);
  }

  write(input: string): void {
    if (this.isRunning) this.shell.write(input);
  }

  resize(columns: number, rows: number): void {
    if (this.isRunning && isSize(columns) && isSize(rows)) this.shell.resize(columns, rows);
  }

  async kill(): Promise<void> {
    if (process.platform === 'win32') await endWindowsTree(this.pid);
    else if (this.mayHaveLeft) {
      // Signals the whole group at once, because it may start processes faster than they can be listed.
      if (this.isRunning) sendSignal(-this.pid, 'SIGTERM');
      await endProcesses(this.family);
    }
    // Limits the wait for a process that even this didn't end.
    await Promise.race([this.ended, holdsWithin(END_MS, LOOK_EVERY_MS, () => this.hasEnded)]);
  }

  private async end(): Promise<ShellExit> {
    const exit = await this.shell.exit;
    this.isRunning = false;
    if (this.endsAlone || (await areGone(this.family, HANG_UP_MS))) {
      this.mayHaveLeft = false;
      return exit;
    }
    const leftRunning = await this.family();
    return leftRunning.length === 0 ? exit : { ...exit, leftRunning };
  }

  private readonly family = async (): Promise<readonly number[]> => {
    const countsRoot = this.isRunning || process.platform !== 'linux';
    return familyOf(await listProcesses(this.mark), this.pid, countsRoot);
  };
}

/** A command that couldn't be started, represented as one that has ended. */
export function failedRun(failure: string): ShellProcess {
  return {
    pid: undefined,
    ended: Promise.resolve({ exitCode: null, signal: null, failure }),
    onOutput: () => () => undefined,
    write: () => undefined,
    resize: () => undefined,
    kill: () => Promise.resolve(),
  };
}

function isSize(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 10_000;
}

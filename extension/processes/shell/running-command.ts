import type { Confinement, ShellExit, ShellProcess } from '../../ports/shell.ts';
import { OutputCapture } from './output-capture.ts';

export type StoppedBy = 'button' | 'closing';

/** A command that was started, with its output so far. */
export class RunningCommand {
  readonly command: string;
  readonly folder: string;
  readonly pid: number | undefined;
  readonly startedAt: number;
  readonly output = new OutputCapture();
  readonly ended: Promise<ShellExit>;
  /** Undefined while it runs. */
  exit: ShellExit | undefined;
  endedAt: number | undefined;
  /** How a person stopped it, if one did: with a button, or by closing its terminal. */
  stoppedBy: StoppedBy | undefined;
  private readonly process: ShellProcess;

  /** The kind of sandbox that confines it. Undefined if it isn't confined. */
  readonly confinement: Confinement['kind'] | undefined;

  constructor(
    process: ShellProcess,
    command: string,
    folder: string,
    {
      now = Date.now,
      confinement,
    }: { readonly now?: () => number; readonly confinement?: Confinement['kind'] | undefined } = {},
  ) {
    this.confinement = confinement;
    this.process = process;
    this.command = command;
    this.folder = folder;
    this.pid = process.pid;
    this.startedAt = now();
    process.onOutput((chunk) => this.output.push(chunk));
    this.ended = process.ended.then((exit) => {
      this.exit = exit;
      this.endedAt = now();
      return exit;
    });
  }

  /** Called after the output was captured. */
  onOutput(listener: (chunk: string) => void): () => void {
    return this.process.onOutput(listener);
  }

  write(input: string): void {
    this.process.write(input);
  }

  resize(columns: number, rows: number): void {
    this.process.resize(columns, rows);
  }

  /** False if it runs without a terminal. */
  get takesInput(): boolean {
    return this.process.takesInput ?? true;
  }

  kill(): Promise<void> {
    return this.process.kill();
  }

  stop(by: StoppedBy): Promise<void> {
    if (!this.exit) this.stoppedBy ??= by;
    return this.kill();
  }
}

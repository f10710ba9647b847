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

interface Entry {
  readonly command: RunningCommand;
  readonly toBackground: () => void;
}

/** The commands that the agent waits for, by the id of the call, so that people can control them while they run. */
export class RunningCommands {
  private readonly entries = new Map<string, Entry>();

  /** `toBackground` is called at most once. Returns a function that removes the entry. */
  add(callId: string, command: RunningCommand, toBackground: () => void): () => void {
    const entry = { command, toBackground };
    this.entries.set(callId, entry);
    return () => {
      if (this.entries.get(callId) === entry) this.entries.delete(callId);
    };
  }

  /** Lets the agent continue while the command keeps running. Returns false if no such command runs. */
  moveToBackground(callId: string): boolean {
    const entry = this.entries.get(callId);
    this.entries.delete(callId);
    entry?.toBackground();
    return entry !== undefined;
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.entries.values()].map(({ command }) => command.kill()));
  }
}

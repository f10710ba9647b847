import type { SandboxKind } from '../protocol/agent/sandbox-block.ts';
import type { ShellExit } from './shell.ts';

/** Shows commands in terminals, where people can watch them and type into them. */
export interface TerminalsPort {
  /** Shows a command that was just started, without taking the focus. */
  show(command: TerminalCommand): void;
  /** Shows the terminal of a command and gives it the focus, at the user's request. False if it has no terminal. */
  reveal(sessionId: string, callId: string): boolean;
  /** The commands with a terminal, running or ended. */
  readonly commands: readonly CommandPlace[];
  onDidChange(listener: () => void): { dispose(): void };
}

export type CommandPlace = Pick<TerminalCommand, 'sessionId' | 'callId'>;

/** A command for display in a terminal, with all of its output. */
export interface TerminalCommand {
  readonly sessionId: string;
  readonly callId: string;
  /** The command in one line, shortened, with invisible characters escaped. */
  readonly label: string;
  /** The whole command, with invisible characters escaped. */
  readonly text: string;
  /** An absolute path. */
  readonly folder: string;
  /** The name of the sandbox; undefined if the command is not confined. */
  readonly confinedBy: SandboxKind | undefined;
  /** Whether the user can type into it. */
  readonly takesInput: boolean;
  readonly ended: Promise<ShellExit>;
  isInBackground(): boolean;
  /** Whether a person or the agent ended it, so that its end is not reported. */
  wasStopped(): boolean;
  /** The end of its output so far, at most this many characters. */
  outputSoFar(chars: number): string;
  onOutput(listener: (chunk: string) => void): () => void;
  write(input: string): void;
  resize(columns: number, rows: number): void;
  /** Called when the user closes the terminal: the command ends, and the model learns why. */
  close(): void;
}

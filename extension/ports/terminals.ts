import type { SandboxKind } from '../protocol/agent/sandbox-block.ts';
import type { ShellExit } from './shell.ts';

/** Shows commands where people can watch them, and type into them. */
export interface TerminalsPort {
  /** A command has just been started. Nothing takes the focus. */
  show(command: TerminalCommand): void;
  /** Because the user asked for it: shows the terminal of a command and gives it the focus. False if it has none. */
  reveal(sessionId: string, callId: string): boolean;
  /** The commands that have a terminal, running or not. */
  readonly commands: readonly CommandPlace[];
  onDidChange(listener: () => void): { dispose(): void };
}

export type CommandPlace = Pick<TerminalCommand, 'sessionId' | 'callId'>;

/** A command as a terminal shows it, from its first character on. */
export interface TerminalCommand {
  readonly sessionId: string;
  readonly callId: string;
  /** In one line, shortened, with invisible characters escaped. */
  readonly label: string;
  /** The whole command, with invisible characters escaped. */
  readonly text: string;
  /** Absolute. */
  readonly folder: string;
  /** The name of the sandbox; undefined if it isn't confined. */
  readonly confinedBy: SandboxKind | undefined;
  /** False where it cannot be typed into. */
  readonly takesInput: boolean;
  readonly ended: Promise<ShellExit>;
  /** It runs in the background. */
  isInBackground(): boolean;
  /** A person or the agent ended it, so its end isn't reported. */
  wasStopped(): boolean;
  /** The end of what it has written, at most so many characters. */
  outputSoFar(chars: number): string;
  onOutput(listener: (chunk: string) => void): () => void;
  write(input: string): void;
  resize(columns: number, rows: number): void;
  /** The user closed its terminal: it ends, and the model is told why. */
  close(): void;
}

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
  /** In one line and cut where it is long, with nothing in it that cannot be seen. */
  readonly label: string;
  /** The whole of it, with nothing in it that cannot be seen. */
  readonly text: string;
  /** Absolute. */
  readonly folder: string;
  /** By what the operating system holds it back; undefined when it does not. */
  readonly confinedBy: SandboxKind | undefined;
  /** False where it cannot be typed into. */
  readonly takesInput: boolean;
  readonly ended: Promise<ShellExit>;
  /** Nobody waits for it. */
  isInBackground(): boolean;
  /** A person or the agent made it end, so its end is no news. */
  wasStopped(): boolean;
  /** The end of what it has written, at most so many characters. */
  outputSoFar(chars: number): string;
  onOutput(listener: (chunk: string) => void): () => void;
  write(input: string): void;
  resize(columns: number, rows: number): void;
  /** The user closed its terminal: it ends, and the model is told why. */
  close(): void;
}

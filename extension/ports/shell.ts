import type { SandboxBlock, SandboxKind } from '../protocol/agent/sandbox-block.ts';

/** Starts commands, each in a terminal of its own. */
export interface ShellPort {
  start(command: string, options: ShellStart): ShellProcess;
}

export interface ShellStart {
  /** An absolute path. */
  readonly folder: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Absent for a command that isn't confined. */
  readonly confinement?: Confinement | undefined;
}

/** How the operating system confines one command. */
export interface Confinement {
  /** The name of the sandbox, for people. */
  readonly kind: SandboxKind;
  /**
   * The absolute paths of protected files that the sandbox cannot guard. If there are any, the command requires
   * approval.
   */
  readonly gaps: readonly string[];
  /** Of the absolute paths that the command reported, those that the sandbox blocked. */
  blocked(named: readonly string[]): Promise<Pick<SandboxBlock, 'paths' | 'folders'>>;
  /** The hosts refused so far, or why no host can be reached. */
  network(): { readonly refused: readonly string[] } | { readonly missing: string };
  /** Returns the program to start instead. */
  wrap(start: ProgramStart): ProgramStart;
  /** Called when the command and all processes that it started have ended. */
  release(): Promise<void>;
}

export interface ProgramStart {
  /** An absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** An absolute path. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ShellProcess {
  /** Also the id of its process group. Undefined if the process could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<ShellExit>;
  /** Receives the raw terminal output, including colors. */
  onOutput(listener: (chunk: string) => void): () => void;
  /** False if the process is not in a terminal; absent means true. */
  readonly takesInput?: boolean;
  write(input: string): void;
  resize(columns: number, rows: number): void;
  /** Ends the whole process group: first with a request, then by force. */
  kill(): Promise<void>;
}

export interface ShellExit {
  readonly exitCode: number | null;
  /** The signal that ended the process. The exit code is then 128 plus its number, as in shells. */
  readonly signal: string | null;
  /** Why the process could not be started. */
  readonly failure?: string;
  /** The ids of child processes that outlive the command. */
  readonly leftRunning?: readonly number[];
}

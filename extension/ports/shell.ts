import type { SandboxBlock, SandboxKind } from '../protocol/agent/sandbox-block.ts';

/** Starts commands, each on a terminal of its own. */
export interface ShellPort {
  start(command: string, options: ShellStart): ShellProcess;
}

export interface ShellStart {
  /** Absolute. */
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
  /** Absolute: protected files that it can't guard. If there are any, the command requires approval. */
  readonly gaps: readonly string[];
  /** Absolute: the paths that the sandbox blocked, of those that the command reported. */
  blocked(named: readonly string[]): Promise<Pick<SandboxBlock, 'paths' | 'folders'>>;
  /** Hosts that were refused so far, or why no host can be reached. */
  network(): { readonly refused: readonly string[] } | { readonly missing: string };
  /** What to start instead. */
  wrap(start: ProgramStart): ProgramStart;
  /** The command has ended, with all that it started. */
  release(): Promise<void>;
}

export interface ProgramStart {
  /** Absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface ShellProcess {
  /** Also the id of its process group. Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly ended: Promise<ShellExit>;
  /** As the terminal gets it, colours and all. */
  onOutput(listener: (chunk: string) => void): () => void;
  /** False for one that is not on a terminal; absent means true. */
  readonly takesInput?: boolean;
  write(input: string): void;
  resize(columns: number, rows: number): void;
  /** Ends the whole process group: first with a request, then by force. */
  kill(): Promise<void>;
}

export interface ShellExit {
  readonly exitCode: number | null;
  /** The signal that ended it. The exit code is then 128 plus its number, as in shells. */
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly failure?: string;
  /** Process IDs of children that outlive the command. */
  readonly leftRunning?: readonly number[];
}

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
  /** Absent for a command that nothing holds back but its user's rights. */
  readonly confinement?: Confinement | undefined;
}

/** How the operating system holds one command back. */
export interface Confinement {
  /** For people: by what. */
  readonly kind: SandboxKind;
  /** Absolute: protected files that it cannot hold. Where there are any, the question has to be asked. */
  readonly gaps: readonly string[];
  /** Absolute: of what a command says that it could not change, what it was kept from. */
  blocked(named: readonly string[]): Promise<Pick<SandboxBlock, 'paths' | 'folders'>>;
  /** Hosts that it wanted and may not reach, as far as that is known by now; or why it can reach none at all. */
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
  /** The whole process group: asked to end, then made to. */
  kill(): Promise<void>;
}

export interface ShellExit {
  readonly exitCode: number | null;
  /** What ended it; then the exit code is 128 and its number, as in shells. */
  readonly signal: string | null;
  /** Why it could not be started. */
  readonly failure?: string;
  /** What the command started and what outlives it, by process id. */
  readonly leftRunning?: readonly number[];
}

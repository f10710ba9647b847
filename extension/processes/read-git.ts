import { runProgram } from './run-program.ts';
import { commandEnvironment } from './shell/clean-environment.ts';

export interface GitQuestion {
  /** Absolute, or searched on the PATH. */
  readonly file?: string;
  readonly folder: string;
  /** The caller must have excluded options and settings that name programs. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** Usually the user waits for the result, and would rather be asked than wait longer. */
const TIMEOUT_MS = 1000;
const MAX_BYTES = 8 * 1024 * 1024;

/** What a Git command prints that only reads: without locks, pagers and downloads. Undefined if it failed. */
export async function readGit(question: GitQuestion): Promise<string | undefined> {
  const { file = 'git', folder, args, environment, input, signal, timeoutMs = TIMEOUT_MS } = question;
  const { exitCode, stdout, truncated } = await runProgram({
    file,
    args: ['--no-optional-locks', '--no-pager', ...args],
    folder,
    environment: { ...commandEnvironment(environment), GIT_NO_LAZY_FETCH: '1' },
    ...(input !== undefined && { input }),
    signal: signal ?? new AbortController().signal,
    timeoutMs,
    maxBytes: MAX_BYTES,
  });
  return exitCode === 0 && !truncated ? stdout : undefined;
}

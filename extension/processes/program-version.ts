import { findProgram, type ProgramSearch } from './find-program.ts';
import { runProgram } from './run-program.ts';
import { commandEnvironment } from './shell/clean-environment.ts';

export interface VersionQuestion {
  /** The names of the program on the PATH, the best one first. */
  readonly names: readonly string[];
  readonly args: readonly string[];
}

/** Some programs take a second to start on a slow disk. */
const TIMEOUT_MS = 5000;
const MAX_BYTES = 4096;
const MAX_LENGTH = 40;
const VERSION = /\d+\.\d+(?:\.\d+)*(?:[-+.][0-9A-Za-z]+)*/;

/**
 * The version that a program reports about itself: empty if it reports none, and undefined if it is not on the PATH. It
 * runs outside of the workspace, where version managers and toolchains would read files that choose another program.
 */
export async function programVersion(
  { names, args }: VersionQuestion,
  search: ProgramSearch,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const name of names) {
    const file = await findProgram(name, search);
    if (file !== undefined) return versionOf(file, args, search.environment, signal);
  }
  return undefined;
}

/** The version that the program at this absolute path reports; empty if it reports none. */
export async function versionOf(
  file: string,
  args: readonly string[],
  environment: ProgramSearch['environment'],
  signal: AbortSignal,
): Promise<string> {
  const { stdout, stderr } = await runProgram({
    file,
    args,
    folder: process.platform === 'win32' ? (process.env['SystemRoot'] ?? 'C:\\') : '/',
    environment: { ...commandEnvironment(environment), ...QUIET },
    signal,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const [version = ''] = VERSION.exec(stdout) ?? VERSION.exec(stderr) ?? [];
  return version.slice(0, MAX_LENGTH);
}

/** Keeps Go from downloading another version of itself, and .NET from greeting and from sending telemetry. */
const QUIET = { GOTOOLCHAIN: 'local', DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' };

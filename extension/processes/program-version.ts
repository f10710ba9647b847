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

/** A program may be updated, or a version manager may choose another one. Sessions that begin together ask once. */
const KEPT_MS = 60_000;

/** The versions that programs report about themselves, for all sessions. */
export class ProgramVersions {
  private readonly asked = new Map<string, { readonly at: number; readonly version: Promise<string> }>();
  private readonly closing = new AbortController();

  constructor(private readonly now: () => number) {}

  /** Empty if the program reports none, and undefined if it is not on the PATH. */
  async find({ names, args }: VersionQuestion, search: ProgramSearch): Promise<string | undefined> {
    for (const name of names) {
      const file = await findProgram(name, search);
      if (file !== undefined) return this.ask(file, args, search.environment);
    }
    return undefined;
  }

  /** The version that the program at this absolute path reports; empty if it reports none. */
  ask(file: string, args: readonly string[], environment: ProgramSearch['environment']): Promise<string> {
    const known = this.asked.get(file);
    const now = this.now();
    if (known && now - known.at < KEPT_MS && now >= known.at) return known.version;
    const version = versionOf(file, args, environment, this.closing.signal);
    this.asked.set(file, { at: now, version });
    return version;
  }

  /** Ends the programs that are still running. */
  dispose(): void {
    this.closing.abort();
  }
}

/** Runs outside of the workspace, where version managers and toolchains would read files that choose another program. */
async function versionOf(
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

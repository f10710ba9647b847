import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bareEnvironment, runProgram } from '../../processes/run-program.ts';
import { whenHeldUp } from './held-up.ts';

/** Where ripgrep may come from. Never the PATH and never the workspace. */
export interface RipgrepHome {
  /** The folder of what ships with the product. */
  readonly assets: string;
  /** The editor's own ripgrep, for when ours is not there. */
  readonly editorRipgrep?: string;
}

export interface RipgrepRun {
  readonly args: readonly string[];
  /** Relative to `folder`. Without any, `input` is searched. */
  readonly paths?: readonly string[];
  readonly folder: string;
  readonly input?: string;
  readonly signal: AbortSignal;
  /** Gets the output as it comes. `stop` ends ripgrep: enough was found. */
  readonly onOutput: (chunk: Buffer, stop: () => void) => void;
}

export interface RipgrepEnd {
  /** Why nothing was searched: a bad pattern, a bad glob, no ripgrep. */
  readonly problem?: string;
  /** It was ended before it was done. */
  readonly timedOut: boolean;
  /** Why: a file with rules held it up. It works without those of the folders. */
  readonly isHeldUp: boolean;
  /** The output was larger than anyone would read; the rest is missing. */
  readonly overflowed: boolean;
  /** Some files or folders could not be read. */
  readonly skippedSome: boolean;
}

/** Gemini CLI's; a search that takes longer needs a narrower folder, not more patience. */
export const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * ripgrep is the one program that runs in Restricted Mode, so it has no way to run another: no configuration file, no
 * preprocessor, no decompression programs. It follows no links, and a file cut off while it is mapped cannot crash it.
 * Beyond 64 MB a file is data: a line of it would be held in memory whole.
 */
const ALWAYS = [
  '--no-config',
  '--no-pre',
  '--no-search-zip',
  '--no-follow',
  '--no-mmap',
  '--no-messages',
  '--color=never',
  '--threads=4',
  '--max-filesize=64M',
];

export async function runRipgrep(home: RipgrepHome, run: RipgrepRun): Promise<RipgrepEnd> {
  const file = await locateRipgrep(home);
  if (file === undefined) return { ...NOTHING_DONE, problem: 'the search program (ripgrep) is missing' };
  const enough = new AbortController();
  let received = 0;
  let isHeldUp = false;
  let stopLooking = (): void => undefined;
  const end = await runProgram({
    file,
    args: [...ALWAYS, ...run.args, '--', ...(run.paths ?? ['-'])],
    folder: run.folder,
    environment: bareEnvironment(process.env),
    ...(run.input === undefined ? {} : { input: run.input }),
    signal: AbortSignal.any([run.signal, enough.signal]),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_OUTPUT_BYTES,
    onStarted: (pid) => {
      const stop = (): void => {
        isHeldUp = true;
        enough.abort();
      };
      stopLooking = whenHeldUp(pid, () => received, stop);
    },
    onStdout: (chunk) => {
      received += chunk.length;
      if (received >= MAX_OUTPUT_BYTES) enough.abort();
      run.onOutput(chunk, () => enough.abort());
    },
  });
  stopLooking();
  const problem = end.failure ?? problemIn(end.stderr);
  return {
    ...(problem === undefined ? {} : { problem }),
    timedOut: end.timedOut || isHeldUp,
    isHeldUp,
    overflowed: received >= MAX_OUTPUT_BYTES,
    skippedSome: end.exitCode === 2 && problem === undefined,
  };
}

/** Those of the files in a folder that ripgrep can be given: only plain ones, as it would wait for ever on a named pipe. */
export async function plainFiles(folder: string, names: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (stats) => stats.isFile(),
        () => false,
      ),
    ),
  );
  return names.filter((_, index) => there[index]);
}

const NOTHING_DONE: RipgrepEnd = { timedOut: false, isHeldUp: false, overflowed: false, skippedSome: false };

async function locateRipgrep({ assets, editorRipgrep }: RipgrepHome): Promise<string | undefined> {
  const ours = join(assets, process.platform === 'win32' ? 'rg.exe' : 'rg');
  for (const file of [ours, ...(editorRipgrep === undefined ? [] : [editorRipgrep])]) {
    const usable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (usable) return file;
  }
  return undefined;
}

/** With `--no-messages` only what stops the whole search is written there. The advice to use PCRE2 is not for us. */
function problemIn(stderr: string): string | undefined {
  const text = stderr.trim();
  if (text === '') return undefined;
  const reason = /^error: (.+)$/m.exec(text)?.[1];
  if (reason !== undefined) return `the regular expression is not valid (${reason})`;
  return text.replace(/^rg: /, '').split('\n\n')[0];
}

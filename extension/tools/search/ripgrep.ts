import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bareEnvironment, runProgram } from '../../processes/run-program.ts';
import { whenHeldUp } from './held-up.ts';

/** The possible locations of ripgrep. It never comes from the PATH or the workspace. */
export interface RipgrepHome {
  /** The folder of the shipped assets. */
  readonly assets: string;
  /** The editor's own ripgrep, used if the shipped one is missing. */
  readonly editorRipgrep?: string;
}

export interface RipgrepRun {
  readonly args: readonly string[];
  /** Relative to `folder`. If absent, `input` is searched. */
  readonly paths?: readonly string[];
  readonly folder: string;
  readonly input?: string;
  readonly signal: AbortSignal;
  /** Called with the output as it arrives. `stop` ends ripgrep once enough is found. */
  readonly onOutput: (chunk: Buffer, stop: () => void) => void;
}

export interface RipgrepEnd {
  /** The reason why nothing was searched: an invalid pattern or glob, or no ripgrep. */
  readonly problem?: string;
  /** The search was stopped before it was done. */
  readonly timedOut: boolean;
  /** The search was stopped because an ignore file blocked it. It works without the ignore files of the folders. */
  readonly isHeldUp: boolean;
  /** The output was larger than anyone would read; the rest is missing. */
  readonly overflowed: boolean;
  /** Some files or folders could not be read. */
  readonly skippedSome: boolean;
}

/** Gemini CLI's limit. A search that takes longer needs a narrower folder, not more time. */
export const TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * ripgrep is the only program that runs in Restricted Mode, so it can't run other programs: no configuration file, no
 * preprocessor, no decompression. It doesn't follow links, and a file that is truncated while mapped can't crash it. A
 * file of more than 64 MB is data, and ripgrep would keep a whole line of it in memory.
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

/** The files of a folder that ripgrep can read. Only regular files, because it would wait forever on a named pipe. */
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

/** With `--no-messages`, ripgrep only reports what stops the whole search. Its advice about PCRE2 doesn't apply. */
function problemIn(stderr: string): string | undefined {
  const text = stderr.trim();
  if (text === '') return undefined;
  const reason = /^error: (.+)$/m.exec(text)?.[1];
  if (reason !== undefined) return `the regular expression is not valid (${reason})`;
  return text.replace(/^rg: /, '').split('\n\n')[0];
}

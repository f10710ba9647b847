import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WITHOUT_GIT, withoutFolder } from './glob-text.ts';
import { RecordSplitter } from './record-splitter.ts';
import { type RipgrepHome, runRipgrep } from './ripgrep.ts';
import { plainPath } from './ripgrep-events.ts';

export interface FileListing {
  /** Absolute. */
  readonly folder: string;
  /** Globs of the editor for what it does not show. */
  readonly leftOut: readonly string[];
  readonly signal: AbortSignal;
  /** From `folder`, with forward slashes, as they come. */
  readonly onPath: (path: string) => void;
}

/** More names than anybody searches; each is kept in memory. */
const MAX_FILES = 500_000;
const MAX_PATH_BYTES = 64 * 1024;
const NUL = 0;
const GEMINI_IGNORE = '.geminiignore';
const NEVER_MEANT = ['node_modules', 'bower_components', '.svn', '.hg'];

/**
 * The files of a folder that are neither hidden by `.gitignore` or `.geminiignore` nor by the editor. For people to choose
 * from: what the agent may read is decided elsewhere. False when it could not be listed.
 */
export async function listWorkspaceFiles(home: RipgrepHome, listing: FileListing): Promise<boolean> {
  const globs = listing.leftOut.map((glob) => `--glob=!${glob}`);
  const done = await list(home, listing, globs);
  // One bad glob of the settings fails all of it.
  return done || (globs.length > 0 && !listing.signal.aborted && (await list(home, listing, [])));
}

async function list(home: RipgrepHome, listing: FileListing, globs: readonly string[]): Promise<boolean> {
  const { folder, signal, onPath } = listing;
  let count = 0;
  const splitter = new RecordSplitter(NUL, MAX_PATH_BYTES, (path) => {
    count += 1;
    onPath(plainPath(path));
  });
  const { problem } = await runRipgrep(home, {
    args: [
      '--files',
      '--null',
      '--hidden',
      // As the rules of the agent: those of this folder, also where it is no repository, and none from outside of it.
      '--no-require-git',
      '--no-ignore-global',
      '--no-ignore-parent',
      '--no-ignore-dot',
      ...(await ignoreRules(folder)),
      ...NEVER_MEANT.map(withoutFolder),
      ...globs,
      WITHOUT_GIT,
    ],
    paths: ['./'],
    folder,
    signal,
    onOutput: (chunk, stop) => {
      splitter.add(chunk);
      if (count >= MAX_FILES) stop();
    },
  });
  return problem === undefined && !signal.aborted;
}

/** Only plain files: ripgrep would wait for ever on a named pipe. */
async function ignoreRules(folder: string): Promise<readonly string[]> {
  const [git, gemini] = await Promise.all(
    ['.gitignore', GEMINI_IGNORE].map((name) => stat(join(folder, name)).catch(() => undefined)),
  );
  return [
    ...(git && !git.isFile() ? ['--no-ignore-vcs'] : []),
    ...(gemini?.isFile() ? [`--ignore-file=${join(folder, GEMINI_IGNORE)}`] : []),
  ];
}

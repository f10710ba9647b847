import { RecordSplitter } from './record-splitter.ts';
import { plainFiles, type RipgrepEnd, type RipgrepHome, runRipgrep } from './ripgrep.ts';
import { plainPath } from './ripgrep-events.ts';

/** A glob that matches exactly this path. */
export function literalGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!]/g, '\\$&');
}

/** A `--glob` that excludes a folder at any depth. Because of the slash, files of that name are not excluded. */
export function withoutFolder(name: string): string {
  return `--glob=!${name}/`;
}

/** Excludes folders by their paths relative to where ripgrep starts. */
export function withoutPaths(paths: readonly string[]): string[] {
  return paths.map((path) => `--glob=!/${literalGlob(path)}/`);
}

/** Excludes Git's own data, whether it is a folder or a file that points to it. */
export const WITHOUT_GIT = '--iglob=!.git';

export interface FilesToList {
  /** Absolute. */
  readonly folder: string;
  /** Globs of the editor for files that it hides. */
  readonly excluded: readonly string[];
  readonly signal: AbortSignal;
  /** Called for each path relative to `folder`, with forward slashes, as it arrives. */
  readonly onPath: (path: string) => void;
}

/** More names than anyone searches. Each is kept in memory. */
const MAX_FILES = 500_000;
const MAX_PATH_BYTES = 64 * 1024;
const NUL = 0;
const NEVER_MEANT = ['node_modules', 'bower_components', '.svn', '.hg'];

/**
 * Lists the files of a folder that `.gitignore`, `.geminiignore` and the editor don't hide, for people to choose from.
 * It doesn't decide what the agent may read. Returns false if the files couldn't be listed.
 */
export async function listWorkspaceFiles(home: RipgrepHome, listing: FilesToList): Promise<boolean> {
  const globs = listing.excluded.map((glob) => `--glob=!${glob}`);
  const done = await list(home, listing, globs);
  // A single invalid glob of the settings fails the whole listing.
  return done || (globs.length > 0 && !listing.signal.aborted && (await list(home, listing, [])));
}

async function list(home: RipgrepHome, listing: FilesToList, globs: readonly string[]): Promise<boolean> {
  const { folder, signal, onPath } = listing;
  const rules = (await plainFiles(folder, ['.gitignore', '.geminiignore'])).map((file) => `--ignore-file=${file}`);
  const listed: string[] = [];
  // The same rules as for the agent: those of this folder, even if it is not a repository, and none from outside of it.
  const own = ['--no-require-git', '--no-ignore-global', '--no-ignore-parent', '--no-ignore-dot'];
  const end = await listOnce(home, listing, [...own, ...rules, ...globs], (path) => {
    listed.push(path);
    onPath(path);
  });
  const known = end.isHeldUp ? new Set(listed) : undefined;
  const { problem } = known
    ? await listOnce(home, listing, ['--no-ignore', ...rules, ...globs], (path) => known.has(path) || onPath(path))
    : end;
  return problem === undefined && !signal.aborted;
}

function listOnce(
  home: RipgrepHome,
  { folder, signal }: FilesToList,
  args: readonly string[],
  onPath: (path: string) => void,
): Promise<RipgrepEnd> {
  let count = 0;
  const splitter = new RecordSplitter(NUL, MAX_PATH_BYTES, (path) => {
    count += 1;
    onPath(plainPath(path));
  });
  return runRipgrep(home, {
    args: ['--files', '--null', '--hidden', ...NEVER_MEANT.map(withoutFolder), ...args, WITHOUT_GIT],
    // Without a path, ripgrep lists the folder that it runs in and doesn't put `./` before each path.
    paths: [],
    folder,
    signal,
    onOutput: (chunk, stop) => {
      splitter.add(chunk);
      if (count >= MAX_FILES) stop();
    },
  });
}

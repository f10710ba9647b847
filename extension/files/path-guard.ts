import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isForbidden } from './error-code.ts';
import { contains, type RealPath, resolveRealPath } from './real-path.ts';
import { isRealPath } from './regular-file.ts';
import { windowsPathProblem } from './windows-path.ts';

/** A path that a tool may use. Tools open only `path`, which has no links left to follow. */
export interface AllowedPath {
  readonly allowed: true;
  readonly path: string;
  readonly exists: boolean;
  /** The workspace folder that contains it, as the user opened it; the innermost one if folders are nested. */
  readonly root: string;
  readonly realRoot: string;
  /** From `realRoot` to `path`, with forward slashes; empty for the root itself. */
  readonly relativePath: string;
  /** The path of the same file in the editor, which knows the root only as the user opened it. */
  readonly editorPath: string;
}

export type PathRefusal = 'malformed' | 'no_workspace' | 'outside_workspace' | 'no_permission' | 'unverifiable';

export interface RefusedPath {
  readonly allowed: false;
  readonly reason: PathRefusal;
  /** For the model: what to do instead. */
  readonly message: string;
}

export type GuardedPath = AllowedPath | RefusedPath;

interface Root {
  readonly opened: string;
  readonly real: string;
}

/**
 * Resolves a path from the model to the real file, or refuses it. Every tool that accesses files starts here. It fails
 * closed: a path that cannot be checked is refused.
 */
export async function guardPath(input: string, roots: readonly string[]): Promise<GuardedPath> {
  try {
    return await decide(input, roots);
  } catch (error) {
    if (isForbidden(error)) return refuse('no_permission', `Permission denied: "${input}".`);
    return refuse('unverifiable', `"${input}" was refused: where it leads could not be checked.`);
  }
}

async function decide(input: string, openedRoots: readonly string[]): Promise<GuardedPath> {
  const text = decodeFileUri(input);
  if (text === undefined) return refuse('malformed', `"${input}" is not a valid file URI. Use a plain path.`);
  if (text.trim() === '') return refuse('malformed', 'The path is empty. Give the path of a file or folder.');
  if (text.includes('\0')) return refuse('malformed', 'The path contains a NUL character.');
  if (process.platform !== 'win32' && text.startsWith('\\\\')) {
    return refuse('malformed', `"${input}" is a network or device path of Windows. Use a path of this system.`);
  }
  const plain = await plainPath(text, openedRoots);
  if (plain) return plain;
  const roots = await resolveRoots(openedRoots);
  if (roots.length === 0) return refuse('no_workspace', 'No folder is open, so there are no files to work with.');

  const literal = await choose(text, roots);
  if (!text.startsWith('@') || text === '@') return literal;
  const isMeantLiterally = (literal.allowed && literal.exists) || (await startsWithFolder(text, roots));
  return isMeantLiterally ? literal : choose(text.slice(1), roots);
}

/**
 * An existing file in the only open folder that is written exactly as its real path. Then the folder is real as well,
 * because every part of a real path is, and need not be resolved separately. Undefined for everything else.
 */
async function plainPath(text: string, openedRoots: readonly string[]): Promise<AllowedPath | undefined> {
  const [opened, ...others] = openedRoots;
  // Windows has further ways to write a path, which are checked separately.
  if (opened === undefined || others.length > 0 || process.platform === 'win32') return undefined;
  const root = resolve(opened);
  const path = resolve(root, text);
  if (!contains(root, path) || !(await isRealPath(path))) return undefined;
  return allowed({ path, exists: true }, { opened: root, real: root });
}

/** Existing files win, in the order of the roots; otherwise the first place where the file could be created. */
async function choose(text: string, roots: readonly Root[]): Promise<GuardedPath> {
  const openedRoots = roots.map(({ opened }) => opened);
  const windowsProblem = process.platform === 'win32' ? windowsPathProblem(text, openedRoots) : undefined;
  if (windowsProblem) return refuse('malformed', `"${text}" is not an ordinary file path (${windowsProblem}).`);
  let firstNew: AllowedPath | undefined;
  for (const candidate of spellings(text).flatMap((spelling) => candidates(spelling, roots))) {
    const verdict = await check(candidate, roots);
    if (verdict?.exists) return verdict;
    firstNew ??= verdict;
    // A link out of the workspace is refused, not skipped in favor of a file of the same name in another root.
    if (!verdict && roots.some(({ opened, real }) => contains(opened, candidate) || contains(real, candidate))) {
      return refuseOutside(text, roots);
    }
  }
  return firstNew ?? refuseOutside(text, roots);
}

/** Models write accents as one character, some systems store them as two (NFC and NFD); both mean the same file. */
function spellings(text: string): string[] {
  return [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
}

/** With several roots, surfaces show files as "rootname/rest", so this form is accepted as well. */
function candidates(text: string, roots: readonly Root[]): string[] {
  if (isAbsolute(text)) return [resolve(text)];
  const relativeToEach = roots.map(({ opened }) => resolve(opened, text));
  if (roots.length === 1) return relativeToEach;
  const [first = '', ...rest] = text.split(process.platform === 'win32' ? /[\\/]/ : '/');
  const named = roots.filter(({ opened }) => sameName(basename(opened), first));
  return [...named.map(({ opened }) => resolve(opened, rest.join('/'))), ...relativeToEach];
}

async function check(candidate: string, roots: readonly Root[]): Promise<AllowedPath | undefined> {
  const { path, exists } = await resolveRealPath(candidate);
  const containing = roots.filter(({ real }) => contains(real, path));
  const innermost = containing.reduce<Root | undefined>(
    (best, root) => (best && best.real.length >= root.real.length ? best : root),
    undefined,
  );
  return innermost && allowed({ path, exists }, innermost);
}

function allowed({ path, exists }: RealPath, { opened, real }: Root): AllowedPath {
  const inRoot = relative(real, path);
  return {
    allowed: true,
    path,
    exists,
    root: opened,
    realRoot: real,
    relativePath: inRoot.split(sep).join('/'),
    editorPath: join(opened, inRoot),
  };
}

/** `@types/new.d.ts` means the folder `@types` if there is one, even though the file does not exist yet. */
async function startsWithFolder(text: string, roots: readonly Root[]): Promise<boolean> {
  const [first = ''] = text.split(/[\\/]/);
  if (first === text) return false;
  const found = await Promise.all(
    roots.map(({ opened }) =>
      stat(resolve(opened, first)).then(
        (stats) => stats.isDirectory(),
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** A missing folder (an unplugged drive, a deleted worktree) is ignored. */
async function resolveRoots(opened: readonly string[]): Promise<Root[]> {
  const resolved = await Promise.all(
    opened.map((root) =>
      realpath(root).then(
        (real): Root => ({ opened: resolve(root), real }),
        () => undefined,
      ),
    ),
  );
  return resolved.filter((root) => root !== undefined);
}

function decodeFileUri(input: string): string | undefined {
  if (!/^file:/i.test(input)) return input;
  try {
    return fileURLToPath(input);
  } catch {
    return undefined;
  }
}

/** The usual file systems of Windows and macOS ignore case; `realpath` returns the true spelling there. */
function sameName(left: string, right: string): boolean {
  const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';
  return ignoresCase ? left.toLowerCase() === right.toLowerCase() : left === right;
}

function refuseOutside(input: string, roots: readonly Root[]): RefusedPath {
  const folders = roots.map(({ opened }) => opened).join(', ');
  return refuse(
    'outside_workspace',
    `Path not in workspace: "${input}" leads outside the open folders (${folders}). Use a path inside of them.`,
  );
}

function refuse(reason: PathRefusal, message: string): RefusedPath {
  return { allowed: false, reason, message };
}

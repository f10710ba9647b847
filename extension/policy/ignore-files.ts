import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { undefinedIfMissing } from '../files/error-code.ts';
import type { KnownFile, KnownFiles } from './known-files.ts';

/** One file with ignore patterns, as found on disk. */
export interface IgnoreFile {
  readonly kind: 'gitignore' | 'git_exclude' | 'geminiignore';
  /** Relative to the root. */
  readonly source: string;
  /** The folder its patterns are relative to; empty for the root. */
  readonly folder: string;
  readonly lines: readonly string[];
  readonly ignoresCase: boolean;
}

/** An ignore file exists but is unreadable, so its rules are unknown. */
export class UnreadableIgnoreFile extends Error {
  constructor(
    readonly source: string,
    cause?: unknown,
  ) {
    super(`Could not read ${source}`, { cause });
  }
}

/** Readers for the ignore files of a root. They return undefined for a missing file and read each file on first use. */
export interface IgnoreReaders {
  /** `folder` is relative to the root, which is the empty string. */
  readonly git: (folder: string) => Promise<IgnoreFile | undefined>;
  /** Any `.gitignore` takes precedence over its rules. */
  readonly exclude: () => Promise<IgnoreFile | undefined>;
  readonly gemini: () => Promise<IgnoreFile | undefined>;
}

export function ignoreReaders(realRoot: string, known: KnownFiles): IgnoreReaders {
  const once = new Map<string, Promise<IgnoreFile | undefined>>();
  const reading = (source: string, read: () => Promise<IgnoreFile | undefined>): Promise<IgnoreFile | undefined> => {
    const file = once.get(source) ?? read();
    once.set(source, file);
    return file;
  };
  let look: ReturnType<KnownFiles['lookAt']> | undefined;
  /** Most roots have only some of the files. One look at the root is enough for those that it does not have. */
  const isAbsent = async (name: string, path: string): Promise<boolean> => {
    if (known.has(path)) return false;
    look ??= known.lookAt(realRoot);
    return (await look)(name);
  };
  const inFolder = (folder: string, name: string, kind: IgnoreFile['kind']): Promise<IgnoreFile | undefined> => {
    const source = folder === '' ? name : `${folder}/${name}`;
    const path = join(realRoot, source);
    return reading(source, () =>
      orUnreadable(source, async () => {
        if (folder === '' && (await isAbsent(name, path))) return undefined;
        return withLines({ kind, source, folder }, await known.read(path));
      }),
    );
  };
  const exclude = async (): Promise<IgnoreFile | undefined> => {
    const path = join(realRoot, EXCLUDE);
    if (await isAbsent('.git', path)) return undefined;
    const file = (await known.read(path)) ?? (await excludeElsewhere(realRoot, known));
    return withLines({ kind: 'git_exclude', source: EXCLUDE, folder: '' }, file);
  };
  return {
    git: (folder) => inFolder(folder, '.gitignore', 'gitignore'),
    exclude: () => reading(EXCLUDE, () => orUnreadable(EXCLUDE, exclude)),
    gemini: () => inFolder('', '.geminiignore', 'geminiignore'),
  };
}

const EXCLUDE = '.git/info/exclude';

function withLines(
  about: Pick<IgnoreFile, 'kind' | 'source' | 'folder'>,
  file: KnownFile | undefined,
): IgnoreFile | undefined {
  return file && { ...about, ...file };
}

async function orUnreadable<T>(source: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new UnreadableIgnoreFile(source, cause);
  }
}

/**
 * The exclude file of a linked worktree or submodule. There, `.git` is a file with the path of the repository's data
 * (gitrepository-layout(5)).
 */
async function excludeElsewhere(realRoot: string, known: KnownFiles): Promise<KnownFile | undefined> {
  const dotGit = join(realRoot, '.git');
  const stats = await stat(dotGit).catch(undefinedIfMissing);
  if (!stats?.isFile()) return undefined;
  const pointer = firstLine(await known.read(dotGit), /^gitdir: (.+)$/);
  if (pointer === undefined) return undefined;
  const gitFolder = resolve(realRoot, pointer);
  const common = firstLine(await known.read(join(gitFolder, 'commondir')), /^(.*)$/);
  return known.read(join(common === undefined ? gitFolder : resolve(gitFolder, common), 'info', 'exclude'));
}

function firstLine(file: KnownFile | undefined, pattern: RegExp): string | undefined {
  for (const line of file?.lines ?? []) {
    const [, found] = pattern.exec(line) ?? [];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

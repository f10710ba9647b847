import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { undefinedIfMissing } from '../files/error-code.ts';
import { readSmallFile } from '../files/regular-file.ts';

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

export function ignoreReaders(realRoot: string): IgnoreReaders {
  const once = new Map<string, Promise<IgnoreFile | undefined>>();
  const reading = (source: string, read: () => Promise<IgnoreFile | undefined>): Promise<IgnoreFile | undefined> => {
    const file = once.get(source) ?? read();
    once.set(source, file);
    return file;
  };
  const inFolder = (folder: string, name: string, kind: IgnoreFile['kind']): Promise<IgnoreFile | undefined> => {
    const source = folder === '' ? name : `${folder}/${name}`;
    return reading(source, () => readRules(join(realRoot, source), { kind, source, folder }));
  };
  return {
    git: (folder) => inFolder(folder, '.gitignore', 'gitignore'),
    exclude: () => reading('.git/info/exclude', () => readExcludeRules(realRoot)),
    gemini: () => inFolder('', '.geminiignore', 'geminiignore'),
  };
}

async function readExcludeRules(realRoot: string): Promise<IgnoreFile | undefined> {
  const about = { kind: 'git_exclude', source: '.git/info/exclude', folder: '' } as const;
  return readRules(join(await known(about.source, findGitFolder(realRoot)), 'info', 'exclude'), about);
}

async function readRules(
  path: string,
  about: Pick<IgnoreFile, 'kind' | 'source' | 'folder'>,
): Promise<IgnoreFile | undefined> {
  const text = await known(about.source, readSmallFile(path));
  if (text === undefined) return undefined;
  return { ...about, lines: text.replace(/^\uFEFF/, '').split(/\r?\n/), ignoresCase: await ignoresCase(path) };
}

async function known<T>(source: string, reading: Promise<T>): Promise<T> {
  return reading.catch((cause: unknown) => {
    throw new UnreadableIgnoreFile(source, cause);
  });
}

/** Checks the file itself, not the platform: Windows drives ignore case even when mounted in WSL, which is Linux. */
async function ignoresCase(path: string): Promise<boolean> {
  const shouted = await stat(path.replace(/[^\\/]+$/, (name) => name.toUpperCase())).catch(undefinedIfMissing);
  return shouted !== undefined && shouted.ino === (await stat(path)).ino;
}

/**
 * The folder with the data of a repository. In a linked worktree or submodule, `.git` is a file with its path
 * (gitrepository-layout(5)).
 */
async function findGitFolder(realRoot: string): Promise<string> {
  const dotGit = join(realRoot, '.git');
  const stats = await stat(dotGit).catch(undefinedIfMissing);
  if (!stats?.isFile()) return dotGit;
  const pointer = /^gitdir: (.+)$/m.exec((await readSmallFile(dotGit)) ?? '')?.[1];
  if (pointer === undefined) return dotGit;
  const gitFolder = resolve(realRoot, pointer.trim());
  const common = await readSmallFile(join(gitFolder, 'commondir'));
  return common === undefined ? gitFolder : resolve(gitFolder, common.trim());
}

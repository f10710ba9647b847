import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from '../files/error-code.ts';
import { findGitFolder } from '../files/git-folder.ts';
import { readSmallFile } from '../files/small-file.ts';

/** One file with ignore patterns, as found on disk. */
export interface RuleFile {
  readonly kind: 'gitignore' | 'git_exclude' | 'geminiignore';
  /** Relative to the root. */
  readonly source: string;
  /** The folder its patterns are relative to; empty for the root. */
  readonly folder: string;
  readonly lines: readonly string[];
  readonly ignoresCase: boolean;
}

/** There may be rules, but nobody knows which. */
export class UnreadableRules extends Error {
  constructor(
    readonly source: string,
    cause?: unknown,
  ) {
    super(`Could not read ${source}`, { cause });
  }
}

/** Where the rules of a root are. Undefined for a file that is not there; each is read when it is first asked for. */
export interface RuleReaders {
  /** `folder` is relative to the root, which is the empty string. */
  readonly git: (folder: string) => Promise<RuleFile | undefined>;
  /** Weaker than any `.gitignore`. */
  readonly exclude: () => Promise<RuleFile | undefined>;
  readonly gemini: () => Promise<RuleFile | undefined>;
}

export function ruleReaders(realRoot: string): RuleReaders {
  const once = new Map<string, Promise<RuleFile | undefined>>();
  const reading = (source: string, read: () => Promise<RuleFile | undefined>): Promise<RuleFile | undefined> => {
    const file = once.get(source) ?? read();
    once.set(source, file);
    return file;
  };
  const inFolder = (folder: string, name: string, kind: RuleFile['kind']): Promise<RuleFile | undefined> => {
    const source = folder === '' ? name : `${folder}/${name}`;
    return reading(source, () => readRules(join(realRoot, source), { kind, source, folder }));
  };
  return {
    git: (folder) => inFolder(folder, '.gitignore', 'gitignore'),
    exclude: () => reading('.git/info/exclude', () => readExcludeRules(realRoot)),
    gemini: () => inFolder('', '.geminiignore', 'geminiignore'),
  };
}

async function readExcludeRules(realRoot: string): Promise<RuleFile | undefined> {
  const about = { kind: 'git_exclude', source: '.git/info/exclude', folder: '' } as const;
  return readRules(join(await known(about.source, findGitFolder(realRoot)), 'info', 'exclude'), about);
}

async function readRules(
  path: string,
  about: Pick<RuleFile, 'kind' | 'source' | 'folder'>,
): Promise<RuleFile | undefined> {
  const text = await known(about.source, readSmallFile(path));
  if (text === undefined) return undefined;
  return { ...about, lines: text.replace(/^\uFEFF/, '').split(/\r?\n/), ignoresCase: await ignoresCase(path) };
}

async function known<T>(source: string, reading: Promise<T>): Promise<T> {
  return reading.catch((cause: unknown) => {
    throw new UnreadableRules(source, cause);
  });
}

/** Asked of the folder itself: Windows drives seen from WSL ignore case although the platform is Linux. */
async function ignoresCase(path: string): Promise<boolean> {
  const shouted = await stat(path.replace(/[^\\/]+$/, (name) => name.toUpperCase())).catch(undefinedIfMissing);
  return shouted !== undefined && shouted.ino === (await stat(path)).ino;
}

import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isMissing } from '../files/error-code.ts';
import { openRegularFile, readUpTo } from '../files/regular-file.ts';

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

/** Ignore files seen in the wild stay below some hundred KB; beyond this it is not a list of rules. */
const MAX_RULE_FILE_BYTES = 4 * 1024 * 1024;

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
  return readRules(join(await findGitFolder(realRoot, about.source), 'info', 'exclude'), about);
}

/** In a linked worktree or submodule `.git` is a file that names the real folder (gitrepository-layout(5)). */
async function findGitFolder(realRoot: string, source: string): Promise<string> {
  const dotGit = join(realRoot, '.git');
  const stats = await stat(dotGit).catch(undefinedIfMissing);
  if (!stats?.isFile()) return dotGit;
  const pointer = /^gitdir: (.+)$/m.exec((await readSmallFile(dotGit, source)) ?? '')?.[1];
  if (pointer === undefined) return dotGit;
  const gitFolder = resolve(realRoot, pointer.trim());
  const common = await readSmallFile(join(gitFolder, 'commondir'), source);
  return common === undefined ? gitFolder : resolve(gitFolder, common.trim());
}

async function readRules(
  path: string,
  about: Pick<RuleFile, 'kind' | 'source' | 'folder'>,
): Promise<RuleFile | undefined> {
  const text = await readSmallFile(path, about.source);
  if (text === undefined) return undefined;
  return { ...about, lines: text.replace(/^\uFEFF/, '').split(/\r?\n/), ignoresCase: await ignoresCase(path) };
}

/** Links are followed, as people link `.geminiignore` to `.gitignore`. Undefined when there is no such file. */
async function readSmallFile(path: string, source: string): Promise<string | undefined> {
  try {
    const real = await realpath(path).catch(undefinedIfMissing);
    if (real === undefined) return undefined;
    const file = await openRegularFile(real);
    if (!file.opened) throw file.cause ?? new Error(file.reason);
    const bytes = await readUpTo(file.handle, file.size, MAX_RULE_FILE_BYTES).finally(() => file.handle.close());
    if (!bytes) throw new Error('too large');
    return bytes.toString('utf8');
  } catch (cause) {
    throw new UnreadableRules(source, cause);
  }
}

/** Asked of the folder itself: Windows drives seen from WSL ignore case although the platform is Linux. */
async function ignoresCase(path: string): Promise<boolean> {
  const shouted = await stat(path.replace(/[^\\/]+$/, (name) => name.toUpperCase())).catch(undefinedIfMissing);
  return shouted !== undefined && shouted.ino === (await stat(path)).ino;
}

function undefinedIfMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

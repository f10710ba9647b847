import ignore from 'ignore';
import { type IgnoreFile, type IgnoreReaders, ignoreReaders, UnreadableIgnoreFile } from './ignore-files.ts';

export type HiddenBy = 'git_folder' | IgnoreFile['kind'] | 'unreadable_rules';

export type Visibility =
  | { readonly hidden: false }
  /** `source` is the file with the rule, relative to the root. */
  | { readonly hidden: true; readonly by: HiddenBy; readonly source: string };

export interface IgnoreTarget {
  /** The real path of the workspace folder. */
  readonly realRoot: string;
  /** Relative to the root, with forward slashes and links resolved. */
  readonly relativePath: string;
  readonly isFolder?: boolean;
}

/**
 * Whether a workspace file is hidden from the agent by `.gitignore` (of each folder down to it), `.git/info/exclude` or
 * the root's `.geminiignore`. Unreadable rules hide the file.
 */
export function checkVisibility({ realRoot, relativePath, isFolder }: IgnoreTarget): Promise<Visibility> {
  return new IgnoreRules(realRoot).judge(relativePath, isFolder);
}

/** The kinds of rules that apply. Git's own folder is always hidden. */
export interface RespectedRules {
  readonly git: boolean;
  readonly gemini: boolean;
}

const RESPECT_ALL: RespectedRules = { git: true, gemini: true };

/** The rules of one workspace folder. Each file is read only once, so use it to check many paths at one moment. */
export class IgnoreRules {
  private readonly readers: IgnoreReaders;
  private readonly gitMatchers = new Map<string, Promise<Matcher>>();
  private geminiMatcher: Promise<Matcher> | undefined;

  constructor(realRoot: string) {
    this.readers = ignoreReaders(realRoot);
  }

  async judge(relativePath: string, isFolder = false, respected = RESPECT_ALL): Promise<Visibility> {
    if (relativePath === '') return { hidden: false };
    const names = relativePath.split('/');
    if (names.some((name) => name.toLowerCase() === '.git')) return { hidden: true, by: 'git_folder', source: '.git' };
    try {
      const [git, gemini] = await Promise.all([
        respected.git ? this.gitRulesFor(names.slice(0, -1)) : undefined,
        respected.gemini ? this.geminiRules() : undefined,
      ]);
      const path = isFolder ? `${relativePath}/` : relativePath;
      return gemini?.(path) ?? git?.(path) ?? { hidden: false };
    } catch (error) {
      const source = error instanceof UnreadableIgnoreFile ? error.source : 'this workspace';
      return { hidden: true, by: 'unreadable_rules', source };
    }
  }

  private geminiRules(): Promise<Matcher> {
    this.geminiMatcher ??= this.readers.gemini().then((file) => matcherOf(file ? [file] : []));
    return this.geminiMatcher;
  }

  /** A folder without its own rules shares the matcher of its parent folder. */
  private gitRulesFor(folderNames: readonly string[]): Promise<Matcher> {
    const folder = folderNames.join('/');
    const known = this.gitMatchers.get(folder);
    if (known) return known;
    const made = this.makeGitMatcher(folderNames);
    this.gitMatchers.set(folder, made);
    return made;
  }

  private async makeGitMatcher(folderNames: readonly string[]): Promise<Matcher> {
    const own = this.readers.git(folderNames.join('/'));
    if (folderNames.length > 0) {
      const [around, file] = await Promise.all([this.gitRulesFor(folderNames.slice(0, -1)), own]);
      if (!file) return around;
    }
    const folders = folderNames.map((_, depth) => folderNames.slice(0, depth + 1).join('/'));
    const files = await Promise.all([this.readers.exclude(), ...['', ...folders].map(this.readers.git)]);
    return matcherOf(files.filter((file) => file !== undefined));
  }
}

type Matcher = (path: string) => Visibility | undefined;

/** Later files take precedence, as in git. */
function matcherOf(files: readonly IgnoreFile[]): Matcher {
  const rules = ignore({ ignoreCase: files.some((file) => file.ignoresCase) });
  files.forEach((file, index) => {
    for (const line of file.lines) rules.add({ pattern: scopeToFolder(line, file.folder), mark: String(index) });
  });
  return (path) => {
    const { ignored, rule } = rules.test(path);
    if (!ignored) return undefined;
    const file = files[Number(rule?.mark)];
    return { hidden: true, by: file?.kind ?? 'unreadable_rules', source: file?.source ?? '' };
  };
}

// Rewrites the pattern of a nested folder for the root: `*.log` of `a/` becomes `/a/**/*.log`, and `x/y` becomes
// `/a/x/y`.
function scopeToFolder(line: string, folder: string): string {
  const isComment = line.startsWith('#') || line.trim() === '';
  if (folder === '' || isComment) return line;
  const isNegative = line.startsWith('!');
  const pattern = (isNegative ? line.slice(1) : line).replace(/(?<!\\)[ \t]+$/, '');
  const isAnchored = pattern.slice(0, -1).includes('/');
  const prefix = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  return `${isNegative ? '!' : ''}/${prefix}/${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}

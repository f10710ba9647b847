import ignore from 'ignore';
import { LruMap } from '../base/lru-map.ts';
import { type IgnoreFile, type IgnoreReaders, ignoreReaders, UnreadableIgnoreFile } from './ignore-files.ts';
import { KnownFiles } from './known-files.ts';

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

const IN_GIT_FOLDER: Visibility = { hidden: true, by: 'git_folder', source: '.git' };

function unreadable(error: unknown): Visibility {
  const source = error instanceof UnreadableIgnoreFile ? error.source : 'this workspace';
  return { hidden: true, by: 'unreadable_rules', source };
}

function isGitFolder(name: string): boolean {
  return name.toLowerCase() === '.git';
}

/** The rules of one workspace folder. Each file is looked at only once, so use it to check many paths at one moment. */
export class IgnoreRules {
  private readonly readers: IgnoreReaders;
  private readonly gitMatchers = new Map<string, Promise<Matcher>>();
  private geminiMatcher: Promise<Matcher> | undefined;

  constructor(
    private readonly realRoot: string,
    private readonly known: KnownRules = KNOWN,
  ) {
    this.readers = ignoreReaders(realRoot, known.files);
  }

  async judge(relativePath: string, isFolder = false, respected = RESPECT_ALL): Promise<Visibility> {
    if (relativePath === '') return { hidden: false };
    if (!ignore.isPathValid(relativePath)) return unreadable(undefined);
    const end = relativePath.lastIndexOf('/');
    const judge = await this.judgeOf(relativePath.slice(0, Math.max(0, end)), respected);
    return judge(relativePath.slice(end + 1), isFolder);
  }

  /** For the entries of one folder, which have the same rules. */
  async judgeOf(folder: string, respected = RESPECT_ALL): Promise<(name: string, isFolder: boolean) => Visibility> {
    const names = folder === '' ? [] : folder.split('/');
    if (names.some(isGitFolder)) return () => IN_GIT_FOLDER;
    let git: Matcher | undefined;
    let gemini: Matcher | undefined;
    try {
      [git, gemini] = await Promise.all([
        respected.git ? this.gitRulesFor(names) : undefined,
        respected.gemini ? this.geminiRules() : undefined,
      ]);
    } catch (error) {
      git = () => unreadable(error);
    }
    const start = folder === '' ? '' : `${folder}/`;
    return (name, isFolder) => {
      if (isGitFolder(name)) return IN_GIT_FOLDER;
      const path = `${start}${name}${isFolder ? '/' : ''}`;
      try {
        return gemini?.(path) ?? git?.(path) ?? { hidden: false };
      } catch (error) {
        return unreadable(error);
      }
    };
  }

  private geminiRules(): Promise<Matcher> {
    this.geminiMatcher ??= this.readers.gemini().then((file) => this.matcherOf(file ? [file] : []));
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
    return this.matcherOf(files.filter((file) => file !== undefined));
  }

  private matcherOf(files: readonly IgnoreFile[]): Matcher {
    return this.known.matcherOf(this.realRoot, files);
  }
}

/**
 * The rules that were read before, with their matchers. Making the matcher of a long `.gitignore` takes milliseconds,
 * much longer than checking that the file is the same.
 */
export class KnownRules {
  private readonly matchers = new LruMap<{ readonly files: readonly IgnoreFile[]; readonly matcher: Matcher }>(
    MOST_MATCHERS,
  );

  constructor(readonly files = new KnownFiles()) {}

  matcherOf(realRoot: string, files: readonly IgnoreFile[]): Matcher {
    if (files.length === 0) return () => undefined;
    const key = [realRoot, ...files.map(({ source }) => source)].join('\0');
    const known = this.matchers.get(key);
    if (known?.files.every(({ lines }, at) => lines === files[at]?.lines)) return known.matcher;
    const matcher = matcherOf(files);
    this.matchers.set(key, { files, matcher });
    return matcher;
  }
}

/** Enough for some projects, each with ignore files in several folders. */
const MOST_MATCHERS = 50;

/** Shared by everything in the process: what it remembers is checked at every use. */
const KNOWN = new KnownRules();

type Matcher = (path: string) => Visibility | undefined;

/** Later files take precedence, as in git. */
function matcherOf(files: readonly IgnoreFile[]): Matcher {
  let rules = rulesOf(files);
  let tested = 0;
  return (path) => {
    // The library remembers every path forever.
    if (++tested % MOST_REMEMBERED === 0) rules = rulesOf(files);
    const { ignored, rule } = rules.test(path);
    if (!ignored) return undefined;
    const file = files[Number(rule?.mark)];
    return { hidden: true, by: file?.kind ?? 'unreadable_rules', source: file?.source ?? '' };
  };
}

const MOST_REMEMBERED = 20_000;

function rulesOf(files: readonly IgnoreFile[]): ignore.Ignore {
  const rules = ignore({ ignoreCase: files.some((file) => file.ignoresCase) });
  files.forEach((file, index) => {
    for (const line of file.lines) rules.add({ pattern: scopeToFolder(line, file.folder), mark: String(index) });
  });
  return rules;
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

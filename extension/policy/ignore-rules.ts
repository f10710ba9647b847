import ignore from 'ignore';
import { type RuleFile, readGeminiRules, readGitRules, UnreadableRules } from './rule-files.ts';

export type HiddenBy = 'git_folder' | RuleFile['kind'] | 'unreadable_rules';

export type Visibility =
  | { readonly hidden: false }
  /** `source` is the file with the rule, relative to the root. */
  | { readonly hidden: true; readonly by: HiddenBy; readonly source: string };

export interface IgnoreTarget {
  /** The real path of the workspace folder. */
  readonly realRoot: string;
  /** From the root, with forward slashes, links resolved. */
  readonly relativePath: string;
  readonly isFolder?: boolean;
}

/**
 * Whether a workspace file is hidden from the agent by `.gitignore` (of each folder down to it), `.git/info/exclude` or
 * the root's `.geminiignore`. Rules that cannot be read hide the file.
 */
export async function checkVisibility(target: IgnoreTarget): Promise<Visibility> {
  const { realRoot, relativePath } = target;
  if (relativePath === '') return { hidden: false };
  const names = relativePath.split('/');
  if (names.some((name) => name.toLowerCase() === '.git')) return { hidden: true, by: 'git_folder', source: '.git' };
  try {
    const [gitRules, geminiRules] = await Promise.all([readGitRules(realRoot, names), readGeminiRules(realRoot)]);
    const path = target.isFolder ? `${relativePath}/` : relativePath;
    return match(geminiRules, path) ?? match(gitRules, path) ?? { hidden: false };
  } catch (error) {
    const source = error instanceof UnreadableRules ? error.source : 'this workspace';
    return { hidden: true, by: 'unreadable_rules', source };
  }
}

function match(files: readonly RuleFile[], path: string): Visibility | undefined {
  const rules = ignore({ ignoreCase: files.some((file) => file.ignoresCase) });
  files.forEach((file, index) => {
    for (const line of file.lines) rules.add({ pattern: scopeToFolder(line, file.folder), mark: String(index) });
  });
  const { ignored, rule } = rules.test(path);
  if (!ignored) return undefined;
  const file = files[Number(rule?.mark)];
  return { hidden: true, by: file?.kind ?? 'unreadable_rules', source: file?.source ?? '' };
}

// Writes a nested folder's pattern as the root would: `*.log` of `a/` is `/a/**/*.log`, and `x/y` is `/a/x/y`.
function scopeToFolder(line: string, folder: string): string {
  const isComment = line.startsWith('#') || line.trim() === '';
  if (folder === '' || isComment) return line;
  const isNegative = line.startsWith('!');
  const pattern = (isNegative ? line.slice(1) : line).replace(/(?<!\\)[ \t]+$/, '');
  const isAnchored = pattern.slice(0, -1).includes('/');
  const prefix = folder.replace(/[\\*?[\]!# ]/g, '\\$&');
  return `${isNegative ? '!' : ''}/${prefix}/${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}

import { literalGlob, WITHOUT_GIT, withoutFolder, withoutPaths } from './glob-text.ts';
import { type GrepArguments, MOST_MATCHES, maxMatches } from './grep-query.ts';
import type { SearchPlace } from './search-place.ts';

/** Left out unless everything is to be searched, as in Gemini CLI: dependencies, outputs, settings of editors. */
const DEFAULT_FOLDERS = [
  'node_modules',
  'bower_components',
  '.svn',
  '.hg',
  '.vscode',
  '.idea',
  'dist',
  'build',
  'coverage',
  '__pycache__',
];
const DEFAULT_FILES = ['*.log', '*.tmp'];

/** Where ripgrep gets its rules from. */
export interface IgnoreSources {
  /** From the root. */
  readonly files: readonly string[];
  /** The `.gitignore` of each folder as well. */
  readonly inFolders: boolean;
}

/** ripgrep's arguments for a search in one place. It starts in the root of the place. */
export function grepArguments(
  args: GrepArguments,
  place: Pick<SearchPlace, 'relativePath' | 'leftOut'>,
  ignore: IgnoreSources,
): string[] {
  return [
    '--json',
    // `$` is the end of a line also where lines end with CRLF.
    '--crlf',
    '--hidden',
    args.case_sensitive ? '--case-sensitive' : '--ignore-case',
    ...(args.fixed_strings ? ['--fixed-strings'] : []),
    `--max-count=${maxCount(args)}`,
    ...contextArguments(args),
    ...ignoreArguments(args, ignore),
    ...globArguments(args, place),
    `--regexp=${args.pattern}`,
  ];
}

/** One more than is shown, to know that there is more. Which lines an exclude pattern leaves is not known before. */
function maxCount(args: GrepArguments): number {
  if (args.exclude_pattern !== undefined) return MOST_MATCHES;
  if (args.names_only) return 1;
  return Math.min(args.max_matches_per_file ?? Number.POSITIVE_INFINITY, maxMatches(args) + 1);
}

function contextArguments({ context = 0, before = context, after = context, names_only }: GrepArguments): string[] {
  return names_only ? [] : [`--before-context=${before}`, `--after-context=${after}`];
}

/**
 * ripgrep leaves out what it can by itself, which saves time; what is shown is decided afterwards by our own rules. So it
 * knows no rules but ours: none of folders above the workspace, none of the user's home, no `.ignore` files.
 */
function ignoreArguments({ no_ignore }: GrepArguments, { files, inFolders }: IgnoreSources): string[] {
  const given = files.map((file) => `--ignore-file=${file}`);
  if (no_ignore || !inFolders) return ['--no-ignore', ...given];
  return ['--no-ignore-global', '--no-ignore-parent', '--no-ignore-dot', '--no-require-git', ...given];
}

/** Of several globs the last one that matches counts: naming `*.log` brings logs back, but not those of node_modules. */
function globArguments(
  { include_pattern, no_ignore }: GrepArguments,
  { relativePath, leftOut }: Pick<SearchPlace, 'relativePath' | 'leftOut'>,
): string[] {
  const here = leftOut.map((path) => (relativePath === '' ? path : `${relativePath}/${path}`));
  return [
    ...(no_ignore ? [] : DEFAULT_FILES.map((name) => `--glob=!${name}`)),
    ...includeGlobs(include_pattern, relativePath).map((glob) => `--glob=${glob}`),
    ...(no_ignore ? [] : DEFAULT_FOLDERS.map(withoutFolder)),
    ...withoutPaths(here),
    WITHOUT_GIT,
  ];
}

/** A glob with a folder in it may be meant from the workspace folder or from the folder that is searched. */
function includeGlobs(glob: string | undefined, relativePath: string): string[] {
  if (glob === undefined) return [];
  const plain = glob.replace(/^(\.?\/)+/, '');
  if (relativePath === '' || !plain.includes('/') || plain.startsWith('!')) return [plain];
  return [plain, `/${literalGlob(relativePath)}/${plain}`];
}

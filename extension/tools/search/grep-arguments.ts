import { type GrepArguments, MOST_MATCHES, maxMatches } from './grep-query.ts';
import type { SearchPlace } from './search-place.ts';
import { literalGlob, WITHOUT_GIT, withoutFolder, withoutPaths } from './workspace-files.ts';

/** Excluded unless `no_ignore` is set, as in Gemini CLI: dependencies, build output, editor settings. */
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

/** The files from which ripgrep reads ignore rules. */
export interface IgnoreSources {
  /** Relative to the root. */
  readonly files: readonly string[];
  /** Whether the `.gitignore` of each folder counts too. */
  readonly inFolders: boolean;
}

/** ripgrep's arguments to search one place. ripgrep starts in the root of the place. */
export function grepArguments(
  args: GrepArguments,
  place: Pick<SearchPlace, 'relativePath' | 'excluded'>,
  ignore: IgnoreSources,
): string[] {
  return [
    '--json',
    // With CRLF too, `$` matches at the end of a line.
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

/**
 * One more than is shown, to know whether there are more. With an exclude pattern, the number of remaining lines isn't
 * known in advance.
 */
function maxCount(args: GrepArguments): number {
  if (args.exclude_pattern !== undefined) return MOST_MATCHES;
  if (args.names_only) return 1;
  return Math.min(args.max_matches_per_file ?? Number.POSITIVE_INFINITY, maxMatches(args) + 1);
}

function contextArguments({ context = 0, before = context, after = context, names_only }: GrepArguments): string[] {
  return names_only ? [] : [`--before-context=${before}`, `--after-context=${after}`];
}

/**
 * ripgrep excludes what it can by itself, which saves time. Our own rules decide afterwards what is shown. Therefore
 * ripgrep must not know any other rules: none of folders above the workspace, none of the user's home, no `.ignore`
 * files.
 */
function ignoreArguments({ no_ignore }: GrepArguments, { files, inFolders }: IgnoreSources): string[] {
  const given = files.map((file) => `--ignore-file=${file}`);
  if (no_ignore || !inFolders) return ['--no-ignore', ...given];
  return ['--no-ignore-global', '--no-ignore-parent', '--no-ignore-dot', '--no-require-git', ...given];
}

/** The last matching glob counts: including `*.log` brings back logs, but not those in node_modules. */
function globArguments(
  { include_pattern, no_ignore }: GrepArguments,
  { relativePath, excluded }: Pick<SearchPlace, 'relativePath' | 'excluded'>,
): string[] {
  const here = excluded.map((path) => (relativePath === '' ? path : `${relativePath}/${path}`));
  return [
    ...(no_ignore ? [] : DEFAULT_FILES.map((name) => `--glob=!${name}`)),
    ...includeGlobs(include_pattern, relativePath).map((glob) => `--glob=${glob}`),
    ...(no_ignore ? [] : DEFAULT_FOLDERS.map(withoutFolder)),
    ...withoutPaths(here),
    WITHOUT_GIT,
  ];
}

/** A glob with a folder may be relative to the workspace folder or to the searched folder. */
function includeGlobs(glob: string | undefined, relativePath: string): string[] {
  if (glob === undefined) return [];
  const plain = glob.replace(/^(\.?\/)+/, '');
  if (relativePath === '' || !plain.includes('/') || plain.startsWith('!')) return [plain];
  return [plain, `/${literalGlob(relativePath)}/${plain}`];
}

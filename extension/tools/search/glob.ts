import { lstat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { Tool, ToolContext, ToolErrorType } from '../../ports/tool.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { countText } from '../summary-words.ts';
import { counted, failedSearch, nameText, searchDisplay } from './output-text.ts';
import { RecordSplitter } from './record-splitter.ts';
import { type RipgrepHome, runRipgrep, TIMEOUT_MS } from './ripgrep.ts';
import { plainPath } from './ripgrep-events.ts';
import { findPlaces, isUnchanged, placesText, type SearchPlace } from './search-place.ts';
import { literalGlob, WITHOUT_GIT, withoutFolder, withoutPaths } from './workspace-files.ts';

const DISPLAY_NAME = 'FindFiles';
/** Enough to choose from. A longer list only fills the conversation. */
const MAX_SHOWN = 1000;
/** The number of names kept in memory. A pattern with more matches is too broad to be useful. */
const MAX_FOUND = 500_000;
const MAX_PATH_BYTES = 64 * 1024;
const NUL = 0;
/** Folders that nobody searches for, with most of the files on a disk. */
const LEFT_OUT = ['node_modules', 'bower_components', '.svn', '.hg'];

const globSchema = once(() =>
  z.strictObject({
    pattern: z
      .string()
      .min(1)
      .describe(
        'Glob pattern for paths below dir_path, such as "src/**/*.ts" or "*.{json,md}", with *, **, ?, […] and {a,b}. ' +
          '"*.ts" matches only directly in the folder, "**/*.ts" in subfolders too.',
      ),
    dir_path: z
      .string()
      .min(1)
      .optional()
      .describe('Folder to search, relative to the workspace folder or absolute. Default: all open folders.'),
    case_sensitive: z.boolean().optional().describe('Distinguish upper and lower case. Default: false.'),
    respect_git_ignore: z.boolean().optional().describe('Skip what .gitignore hides. Default: true.'),
    respect_gemini_ignore: z.boolean().optional().describe('Skip what .geminiignore hides. Default: true.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof globSchema>>;

export function createGlobTool(home: RipgrepHome): Tool<ReturnType<typeof globSchema>> {
  return {
    name: 'glob',
    displayName: DISPLAY_NAME,
    kind: 'search',
    description:
      'Finds files by a glob pattern for their paths. Use it if you know a part of the name or path; to search in the text ' +
      'of files, use grep_search. Files changed in the last 24 hours come first, newest first, then the others by name; at ' +
      `most ${MAX_SHOWN}. Names with a leading dot are included, node_modules and the data of version control are not.`,
    get schema() {
      return globSchema();
    },
    longOutput: true,
    describe: (args, workspace) => describeGlob(args, workspace.roots()),
    touches: ({ dir_path }) => (dir_path === undefined ? [] : [{ path: dir_path, access: 'read' }]),
    execute: async (args, context) => {
      const about = describeGlob(args, context.workspace.roots());
      const result = await find(home, args, context);
      if (context.signal.aborted) return failedSearch(DISPLAY_NAME, about, 'cancelled', 'Finding files was cancelled.');
      if ('message' in result) return failedSearch(DISPLAY_NAME, about, result.type, result.message);
      return {
        content: result.text,
        display: searchDisplay(DISPLAY_NAME, about, result.summary, result.text),
        data: result.data,
      };
    },
  };
}

interface Failure {
  readonly type: ToolErrorType;
  readonly message: string;
}

interface Listing {
  readonly files: readonly { readonly label: string; readonly path: string }[];
  readonly ignored: number;
  readonly isCutOff: boolean;
}

type GlobResult =
  | { readonly text: string; readonly summary: string; readonly data: Readonly<Record<string, unknown>> }
  | Failure;

async function find(home: RipgrepHome, args: Arguments, context: ToolContext): Promise<GlobResult> {
  const found = await findPlaces(args.dir_path, context, {
    respected: { git: args.respect_git_ignore ?? true, gemini: args.respect_gemini_ignore ?? true },
    override: 'Set respect_git_ignore to false to look into it.',
  });
  if ('failed' in found) return found.failed;
  const listings: Listing[] = [];
  let isOutside = true;
  for (const place of found.places) {
    const pattern = await patternIn(place, args.pattern);
    if ('outside' in pattern) continue;
    isOutside = false;
    const listing = await list(home, pattern.glob, args, place, context.signal);
    if ('message' in listing) return listing;
    listings.push(listing);
  }
  if (isOutside) return { type: 'path_not_in_workspace', message: outsideMessage(args.pattern) };
  return present(args, found.places, listings);
}

/**
 * ripgrep lists all matches, including ignored files, so that these can be counted. Its globs take linear time,
 * whatever the pattern.
 */
async function list(
  home: RipgrepHome,
  glob: string,
  { case_sensitive }: Arguments,
  place: SearchPlace,
  signal: AbortSignal,
): Promise<Listing | Failure> {
  if (place.isFile)
    return {
      type: 'search_path_not_a_directory',
      message: `${place.label(place.relativePath)} is a file. Give the folder to search as dir_path.`,
    };
  const paths: string[] = [];
  const splitter = new RecordSplitter(NUL, MAX_PATH_BYTES, (path) => paths.push(plainPath(path)));
  const end = await runRipgrep(home, {
    args: [
      '--files',
      '--null',
      '--hidden',
      '--no-ignore',
      ...(case_sensitive ? [] : ['--glob-case-insensitive']),
      `--glob=/${glob}`,
      ...LEFT_OUT.map(withoutFolder),
      ...withoutPaths(place.excluded),
      WITHOUT_GIT,
    ],
    paths: ['./'],
    folder: place.path,
    signal,
    onOutput: (chunk, stop) => {
      splitter.add(chunk);
      if (paths.length >= MAX_FOUND) stop();
    },
  });
  if (end.problem !== undefined) return { type: 'glob_execution_error', message: `No files listed: ${end.problem}.` };
  if (!(await isUnchanged(place)))
    return { type: 'search_path_not_found', message: `${place.label(place.relativePath)} was moved or replaced.` };
  const isCutOff = end.timedOut || end.overflowed || paths.length >= MAX_FOUND;
  return { ...(await visible(paths, place, signal)), isCutOff };
}

async function visible(
  paths: readonly string[],
  place: SearchPlace,
  signal: AbortSignal,
): Promise<Pick<Listing, 'files' | 'ignored'>> {
  const files: { label: string; path: string }[] = [];
  for (const path of paths) {
    if (signal.aborted) break;
    const inRoot = place.relativePath === '' ? path : `${place.relativePath}/${path}`;
    if ((await place.judge(inRoot)).hidden) continue;
    files.push({ label: place.label(inRoot), path: join(place.realRoot, inRoot) });
  }
  return { files, ignored: paths.length - files.length };
}

async function present(
  { pattern }: Arguments,
  places: readonly SearchPlace[],
  listings: readonly Listing[],
): Promise<GlobResult> {
  const files = listings.flatMap((listing) => listing.files);
  const ignored = listings.reduce((total, listing) => total + listing.ignored, 0);
  const isCutOff = listings.some((listing) => listing.isCutOff);
  const isDated = files.length <= MOST_DATED_FILES;
  const names = isDated ? recentFirst(await dates(files), Date.now()) : files.map(({ label }) => label).sort();
  const isCapped = names.length > MAX_SHOWN;
  const more = ignored === 0 ? '' : ` (${ignored} more ignored)`;
  const where = `${placesText(places)}${more}`;
  const head =
    names.length === 0
      ? `No files match "${pattern}" in ${where}.`
      : `Found ${counted(names.length, 'file')} for "${pattern}" in ${where}:`;
  const text = [head, ...names.slice(0, MAX_SHOWN).map(nameText), ...notesOf(isCapped, isDated, isCutOff)].join('\n');
  return {
    text,
    summary: summaryOf(names.length, ignored),
    data: { files: names.length, ignored, limited: isCapped || isCutOff },
  };
}

function summaryOf(count: number, ignored: number): string {
  if (count === 0) return l10n.t('No files');
  const files = countText(count, 'file');
  return ignored === 0 ? files : l10n.t('{0} ({1} more ignored)', files, ignored);
}

function notesOf(isCapped: boolean, isDated: boolean, isCutOff: boolean): string[] {
  const seconds = TIMEOUT_MS / 1000;
  return [
    ...(isCapped ? [`[Only the first ${MAX_SHOWN} are shown. Use a narrower pattern or folder to see others.]`] : []),
    ...(isDated ? [] : ['[There are too many to put the newest first.]']),
    ...(isCutOff ? [`[Not all files were looked at: that ends after ${seconds} seconds or ${MAX_FOUND} files.]`] : []),
  ];
}

/** Files that have been removed in the meantime are omitted. */
async function dates(files: Listing['files']): Promise<DatedFile[]> {
  const all = await Promise.all(files.map(({ label, path }) => dated(label, path)));
  return all.filter((file) => file !== undefined);
}

function outsideMessage(pattern: string): string {
  return `"${pattern}" leads out of the folder. Give the folder as dir_path and a pattern for what is in it.`;
}

function describeGlob(args: Readonly<Record<string, unknown>>, roots: readonly string[]): string {
  const pattern = typeof args['pattern'] === 'string' ? `'${args['pattern']}'` : '';
  const folder = unverifiedPathLabel(args['dir_path'], roots);
  return folder === '' ? pattern : `${pattern} in ${folder}`;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** With more files, getting their modification times would take too long. */
const MOST_DATED_FILES = 20_000;

interface DatedFile {
  readonly name: string;
  readonly modifiedAt: number;
}

/** Files changed in the last day come first, newest first. The others follow, sorted by name. */
export function recentFirst(files: readonly DatedFile[], now: number): string[] {
  const isRecent = (file: DatedFile): boolean => now - file.modifiedAt < DAY_MS;
  const byName = (left: DatedFile, right: DatedFile): number => (left.name < right.name ? -1 : 1);
  const recent = files
    .filter(isRecent)
    .sort((left, right) => right.modifiedAt - left.modifiedAt || byName(left, right));
  const others = files.filter((file) => !isRecent(file)).sort(byName);
  return [...recent, ...others].map(({ name }) => name);
}

/** Undefined if the file has been removed in the meantime. */
async function dated(name: string, path: string): Promise<DatedFile | undefined> {
  return lstat(path).then(
    ({ mtimeMs }) => ({ name, modifiedAt: mtimeMs }),
    () => undefined,
  );
}

type GlobPattern = { readonly glob: string } | { readonly outside: true };

/** Converts the model's pattern to one that ripgrep matches relative to the place, or reports that it leads outside. */
async function patternIn(place: SearchPlace, pattern: string): Promise<GlobPattern> {
  const slashed = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const inPlace = isAbsolute(slashed)
    ? (fromPlace(slashed, place.path) ?? fromPlace(slashed, place.editorPath))
    : slashed.replace(/^(\.\/+)+/, '');
  if (inPlace === undefined || climbs(inPlace)) return { outside: true };
  return { glob: (await isFileName(place.path, inPlace)) ? literalGlob(inPlace) : inPlace };
}

function fromPlace(pattern: string, folder: string): string | undefined {
  const prefix = `${folder.replaceAll('\\', '/').replace(/\/+$/, '')}/`;
  return pattern.startsWith(prefix) ? pattern.slice(prefix.length) : undefined;
}

/** Nothing outside is listed anyway, but an error helps the model more than an empty result. */
function climbs(pattern: string): boolean {
  return /(^|[/{,])\.\.($|[/},])/.test(pattern);
}

/** `app/[id]/page.tsx` may be the name of a file, which takes precedence over a pattern. */
function isFileName(folder: string, pattern: string): Promise<boolean> {
  return lstat(join(folder, pattern)).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

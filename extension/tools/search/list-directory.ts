import type { Dirent } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { errorCode, isForbidden, isMissing } from '../../files/error-code.ts';
import type { Tool, ToolContext, ToolErrorType, ToolResult } from '../../ports/tool.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { countText } from '../summary-words.ts';
import { counted, failedSearch, nameText, searchDisplay } from './output-text.ts';
import { findPlaces, isUnchanged, type SearchPlace } from './search-place.ts';

const DISPLAY_NAME = 'ReadFolder';
const MAX_SHOWN = 2000;
/** A folder with more entries is a data store; sorting all of it would only take time. */
const MAX_READ = 50_000;

const listDirectorySchema = once(() =>
  z.strictObject({
    dir_path: z.string().min(1).describe('Folder to list, relative to the workspace folder or absolute.'),
    ignore: z
      .array(z.string().min(1))
      .optional()
      .describe('Names to skip, such as "*.map". * matches any characters, ? matches one.'),
    file_filtering_options: z
      .strictObject({
        respect_git_ignore: z.boolean().optional().describe('Skip what .gitignore hides. Default: true.'),
        respect_gemini_ignore: z.boolean().optional().describe('Skip what .geminiignore hides. Default: true.'),
      })
      .optional()
      .describe('Which ignore rules apply.'),
  }),
);

type Arguments = z.infer<ReturnType<typeof listDirectorySchema>>;

export function createListDirectoryTool(): Tool<ReturnType<typeof listDirectorySchema>> {
  return {
    name: 'list_directory',
    displayName: DISPLAY_NAME,
    kind: 'read',
    description:
      'Lists one folder of the workspace, without subfolders: folders first, then files with their sizes, and links, which ' +
      `are not followed. At most ${MAX_SHOWN} entries. Ignored entries are only counted. Use it to get to know a folder; ` +
      'to find files by name or in subfolders, use glob.',
    get schema() {
      return listDirectorySchema();
    },
    longOutput: true,
    describe: (args, workspace) => unverifiedPathLabel(args['dir_path'], workspace.roots()),
    touches: ({ dir_path }) => [{ path: dir_path, access: 'read' }],
    execute: listDirectory,
  };
}

async function listDirectory(args: Arguments, context: ToolContext): Promise<ToolResult> {
  const about = unverifiedPathLabel(args.dir_path, context.workspace.roots());
  const filtering = args.file_filtering_options;
  const found = await findPlaces(args.dir_path, context, {
    respected: { git: filtering?.respect_git_ignore ?? true, gemini: filtering?.respect_gemini_ignore ?? true },
    override: 'Set file_filtering_options.respect_git_ignore to false to list it.',
  });
  if ('failed' in found) return failed(listingError(found.failed.type), found.failed.message, about);
  const [place] = found.places;
  if (!place) return failed('ls_execution_error', 'There is no folder to list.', about);
  const label = place.label(place.relativePath);
  if (place.isFile)
    return failed('path_is_not_a_directory', `${label} is a file, not a folder. Read it with read_file.`, label);
  try {
    const entries = await readEntries(place, args.ignore ?? [], context.signal);
    const lines = await Promise.all(entries.shown.map((entry) => entryText(place.path, entry)));
    if (context.signal.aborted) return failed('cancelled', `Listing ${label} was cancelled.`, label);
    if (!(await isUnchanged(place)))
      return failed('file_not_found', `${label} was moved or replaced. Try again.`, label);
    return present(label, entries, lines);
  } catch (error) {
    if (isMissing(error)) return failed('file_not_found', `There is no ${label}.`, label);
    if (isForbidden(error)) return failed('permission_denied', `Permission denied: ${label}`, label);
    return failed('ls_execution_error', `${label} could not be listed (${errorCode(error) ?? 'unknown'}).`, label);
  }
}

/** Uses the error types of Gemini CLI's tool. */
function listingError(type: ToolErrorType): ToolErrorType {
  if (type === 'search_path_not_found') return 'file_not_found';
  return type === 'search_path_not_a_directory' ? 'path_is_not_a_directory' : type;
}

interface Entries {
  readonly shown: readonly Dirent[];
  /** The number of all entries that could be shown. */
  readonly total: number;
  readonly ignored: number;
  /** There are more entries than were read. */
  readonly isCutOff: boolean;
}

async function readEntries(place: SearchPlace, ignore: readonly string[], signal: AbortSignal): Promise<Entries> {
  const kept: Dirent[] = [];
  let ignored = 0;
  let read = 0;
  for await (const entry of await opendir(place.path)) {
    if (signal.aborted || read === MAX_READ) break;
    read += 1;
    const inRoot = place.relativePath === '' ? entry.name : `${place.relativePath}/${entry.name}`;
    const isIgnored = ignore.some((pattern) => matchesWildcard(pattern, entry.name));
    if (isIgnored || (await place.judge(inRoot, entry.isDirectory())).hidden) ignored += 1;
    else kept.push(entry);
  }
  kept.sort(foldersFirst);
  return { shown: kept.slice(0, MAX_SHOWN), total: kept.length, ignored, isCutOff: read === MAX_READ };
}

function foldersFirst(left: Dirent, right: Dirent): number {
  const byKind = Number(right.isDirectory()) - Number(left.isDirectory());
  return byKind || (left.name < right.name ? -1 : 1);
}

async function entryText(folder: string, entry: Dirent): Promise<string> {
  const name = nameText(entry.name);
  const path = join(folder, entry.name);
  if (entry.isDirectory()) return `[DIR] ${name}`;
  if (entry.isSymbolicLink()) {
    const target = await readlink(path).catch(() => undefined);
    return `[LINK] ${name}${target === undefined ? '' : ` -> ${nameText(target)}`}`;
  }
  if (!entry.isFile()) return `[SPECIAL] ${name}`;
  const size = await lstat(path).then(
    (stats) => ` (${counted(stats.size, 'byte')})`,
    () => '',
  );
  return `${name}${size}`;
}

function present(label: string, { total, ignored, isCutOff }: Entries, lines: readonly string[]): ToolResult {
  const ignoredNote = ignored === 0 ? '' : ` (${ignored} ignored)`;
  const entries = `${counted(total, 'entry', 'entries')}${isCutOff ? ' or more' : ''}`;
  const head = total === 0 ? `The folder ${label} is empty${ignoredNote}.` : `${entries} in ${label}${ignoredNote}:`;
  const notes = total > lines.length ? [`[Only the first ${lines.length} are shown.]`] : [];
  const text = [head, ...lines, ...notes].join('\n');
  const data = { entries: total, ignored, limited: notes.length > 0 || isCutOff };
  return {
    content: text,
    display: searchDisplay(DISPLAY_NAME, label, summaryOf(total, ignored, isCutOff), text),
    data,
  };
}

function failed(type: ToolErrorType, message: string, about: string): ToolResult {
  return failedSearch(DISPLAY_NAME, about, type, message);
}

function summaryOf(total: number, ignored: number, isCutOff: boolean): string {
  const count = countText(total, 'entry');
  const entries = isCutOff ? l10n.t('{0} or more', count) : count;
  return ignored === 0 ? entries : l10n.t('{0} ({1} ignored)', entries, ignored);
}

/**
 * Whether a whole name matches a pattern with `*` for any characters and `?` for one. It only backtracks to the last
 * star, so the number of steps is at most the product of both lengths.
 */
export function matchesWildcard(pattern: string, name: string): boolean {
  let [at, position] = [0, 0];
  let star = -1;
  let afterStar = 0;
  while (position < name.length) {
    const expected = pattern[at];
    if (expected === '*') {
      star = at;
      afterStar = position;
      at += 1;
    } else if (expected === '?' || expected === name[position]) {
      at += 1;
      position += 1;
    } else if (star !== -1) {
      at = star + 1;
      afterStar += 1;
      position = afterStar;
    } else {
      return false;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}

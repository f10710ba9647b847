import type { EditorPosition } from '../../ports/editor.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { linesOf, readSource } from './source-text.ts';
import { findFile, type WorkspaceFile } from './workspace-file.ts';

/** Enough to work with. A longer list calls for a narrower query. */
export const MAX_LISTED = 200;
const MAX_LINE_CHARS = 200;

export interface ListedEntry extends EditorPosition {
  /** Text to show in addition to the line itself. */
  readonly note?: string;
}

export interface ListingOptions {
  /** Whether to omit files hidden from the agent or to list their positions without text. */
  readonly hidden: 'leave_out' | 'name_only';
  /** A sentence that says what to do if the list is cut. */
  readonly advice: string;
}

export interface Listing {
  readonly text: string;
  readonly shown: number;
}

/** Lists the editor's results by file, with the text of each line. Says what is omitted and why. */
export async function listByFile(
  entries: readonly ListedEntry[],
  context: ToolContext,
  options: ListingOptions,
): Promise<Listing> {
  const { groups, shown, outside, leftOut, isCut } = await sortIntoFiles(entries, context, options);
  const blocks: string[] = [];
  for (const { file, entries: inFile } of groups) blocks.push(await block(file, inFile, context));
  const notices = [
    ...(isCut ? [`Only the first ${MAX_LISTED} of ${entries.length} are shown. ${options.advice}`] : []),
    ...(outside > 0 ? [`${outside} outside the workspace: not shown.`] : []),
    ...(leftOut > 0 ? [`${leftOut} in hidden files: not shown.`] : []),
  ];
  return { text: [...blocks, ...notices].join('\n'), shown };
}

interface Group {
  readonly file: WorkspaceFile;
  readonly entries: ListedEntry[];
}

interface Sorted {
  readonly groups: readonly Group[];
  readonly shown: number;
  readonly outside: number;
  readonly leftOut: number;
  readonly isCut: boolean;
}

async function sortIntoFiles(
  entries: readonly ListedEntry[],
  context: ToolContext,
  { hidden }: ListingOptions,
): Promise<Sorted> {
  const files = new Map<string, WorkspaceFile | undefined>();
  const groups = new Map<string, Group>();
  // Links can give the same file two names.
  const seen = new Set<string>();
  let [shown, outside, leftOut] = [0, 0, 0];
  let isCut = false;
  for (const entry of entries) {
    context.signal.throwIfAborted();
    if (!files.has(entry.path)) files.set(entry.path, await findFile(entry.path, context));
    const file = files.get(entry.path);
    if (file === undefined) {
      outside++;
      continue;
    }
    const key = JSON.stringify([file.path, entry.line, entry.column, entry.note]);
    if (seen.has(key)) continue;
    seen.add(key);
    if (file.hidden !== undefined && hidden === 'leave_out') {
      leftOut++;
      continue;
    }
    if (shown === MAX_LISTED) {
      isCut = true;
      break;
    }
    const group = groups.get(file.path) ?? { file, entries: [] };
    group.entries.push(entry);
    groups.set(file.path, group);
    shown++;
  }
  return { groups: [...groups.values()], shown, outside, leftOut, isCut };
}

async function block(file: WorkspaceFile, entries: readonly ListedEntry[], context: ToolContext): Promise<string> {
  const source = file.hidden === undefined ? await readSource(file, context.files, context.signal) : undefined;
  const lines = source === undefined ? [] : linesOf(source);
  const remark = file.hidden === undefined ? '' : ' (hidden file: without its text)';
  const items = entries.map((entry) => item(entry, lines[entry.line - 1]));
  return [`${file.label}${remark}`, ...items].join('\n');
}

function item({ line, column, note }: ListedEntry, text: string | undefined): string {
  const place = `  ${line}:${column}`;
  const source = text === undefined ? '' : cut(text.trim(), MAX_LINE_CHARS);
  if (note === undefined) return source === '' ? place : `${place}  ${source}`;
  return source === '' ? `${place}  ${note}` : `${place}  ${note}\n      | ${source}`;
}

export function byPlace(left: EditorPosition, right: EditorPosition): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}

/** Doesn't cut through a surrogate pair. */
export function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}

import { openRegularFile, readUpTo } from '../../files/regular-file.ts';
import { decodeText } from '../../files/text-codec.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import type { Tool, ToolContext, ToolErrorType } from '../../ports/tool.ts';
import { unverifiedPathLabel } from '../path-label.ts';
import { type GrepSelection, grepText, notesOf, selectMatches, summaryOf } from './grep-output.ts';
import { type GrepArguments, grepSchema } from './grep-query.ts';
import { type GrepFindings, grepPlace, type LocatedFile } from './grep-run.ts';
import text from './grep-search.md';
import { failedSearch, searchDisplay } from './output-text.ts';
import { type RipgrepHome, runRipgrep } from './ripgrep.ts';
import { type FoundLine, MatchedFiles } from './ripgrep-events.ts';
import { findPlaces, isUnchanged, placesText, type SearchPlace } from './search-place.ts';

const DISPLAY_NAME = 'SearchText';

export function createGrepSearchTool(home: RipgrepHome): Tool<ReturnType<typeof grepSchema>> {
  return {
    name: 'grep_search',
    displayName: DISPLAY_NAME,
    kind: 'search',
    description: text.trim(),
    get schema() {
      return grepSchema();
    },
    longOutput: true,
    describe: (args, workspace) => describeSearch(args, workspace.roots()),
    touches: ({ dir_path }) => (dir_path === undefined ? [] : [{ path: dir_path, access: 'read' }]),
    execute: async (args, context) => {
      const about = describeSearch(args, context.workspace.roots());
      const result = await search(home, args, context);
      if (context.signal.aborted) return failedSearch(DISPLAY_NAME, about, 'cancelled', 'The search was cancelled.');
      if ('message' in result) return failedSearch(DISPLAY_NAME, about, result.type, result.message);
      return {
        content: result.text,
        display: searchDisplay(DISPLAY_NAME, about, result.summary, result.text),
        data: result.data,
      };
    },
  };
}

type SearchResult =
  | { readonly text: string; readonly summary: string; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: ToolErrorType; readonly message: string };

async function search(home: RipgrepHome, args: GrepArguments, context: ToolContext): Promise<SearchResult> {
  const found = await findPlaces(args.dir_path, context, {
    respected: { git: args.no_ignore !== true, gemini: true },
    override: 'Set no_ignore to search it.',
  });
  if ('failed' in found) return found.failed;
  const secret = found.places.find((place) => place.isFile && looksSecret(place.path) && !place.isNamed);
  if (secret) return { type: 'invalid_tool_params', message: secretMessage(secret) };

  const findings: GrepFindings[] = [];
  for (const place of found.places) {
    const finding = await grepPlace(home, args, place, context.signal);
    if (finding.problem !== undefined) return { type: 'grep_execution_error', message: badSearch(finding.problem) };
    if (!(await isUnchanged(place))) return { type: 'search_path_not_found', message: goneMessage(place) };
    findings.push(finding);
    if (finding.hasMore) break;
  }
  return present(home, args, found.places, findings, context);
}

async function present(
  home: RipgrepHome,
  args: GrepArguments,
  places: readonly SearchPlace[],
  findings: readonly GrepFindings[],
  { signal }: ToolContext,
): Promise<SearchResult> {
  const files = findings.flatMap((finding) => finding.files);
  const kept = await withoutExcluded(home, args, { files }, places[0]?.realRoot ?? '', signal);
  if ('problem' in kept)
    return { type: 'grep_execution_error', message: `exclude_pattern: ${badSearch(kept.problem)}` };
  const hasMore = findings.some((finding) => finding.hasMore);
  const selection = await withAutoContext(selectMatches(kept.files, hasMore, args), args, signal);
  const text = grepText(selection, args, placesText(places), notesOf(findings, selection));
  const data = { matches: selection.matches, files: selection.files.length, limited: selection.isLimited };
  return { text, summary: summaryOf(selection, args), data };
}

async function withAutoContext(
  selection: GrepSelection,
  { context, before, after, names_only }: GrepArguments,
  signal: AbortSignal,
): Promise<GrepSelection> {
  const isAsked = context !== undefined || before !== undefined || after !== undefined;
  const around = autoContextLines(selection.matches);
  if (isAsked || names_only || selection.isLimited || around === 0) return selection;
  const files = await Promise.all(selection.files.map((file) => withContext(file, around, signal)));
  return { ...selection, files };
}

function describeSearch(args: Readonly<Record<string, unknown>>, roots: readonly string[]): string {
  const pattern = typeof args['pattern'] === 'string' ? `'${args['pattern']}'` : '';
  const folder = unverifiedPathLabel(args['dir_path'], roots);
  const include = typeof args['include_pattern'] === 'string' ? ` (${args['include_pattern']})` : '';
  return `${pattern}${folder === '' ? '' : ` in ${folder}`}${include}`;
}

function badSearch(problem: string): string {
  return `Nothing was searched: ${problem}. Lines are searched one by one, with the syntax of Rust; fixed_strings takes the pattern as plain text.`;
}

function secretMessage({ label, relativePath }: SearchPlace): string {
  return `${label(relativePath)} looks like a file with secrets and is only searched if the user names it. Continue without it.`;
}

function goneMessage({ label, relativePath }: SearchPlace): string {
  return `${label(relativePath)} was moved or replaced while it was searched. Try again.`;
}

type KeptFiles = { readonly files: readonly LocatedFile[] } | { readonly problem: string };

/**
 * Removes matches that match `exclude_pattern`. ripgrep does that too, because its expressions take linear time, while
 * a JavaScript expression could block the whole extension host.
 */
async function withoutExcluded(
  home: RipgrepHome,
  { exclude_pattern, case_sensitive }: GrepArguments,
  { files }: Pick<GrepFindings, 'files'>,
  folder: string,
  signal: AbortSignal,
): Promise<KeptFiles> {
  if (exclude_pattern === undefined || files.length === 0) return { files };
  const matches = files.flatMap(({ lines }) => lines.filter((line) => line.isMatch));
  const excluded = new Set<unknown>();
  const found = new MatchedFiles(({ lines }) => {
    for (const { number } of lines) excluded.add(matches[number - 1]);
  });
  const { problem, timedOut } = await runRipgrep(home, {
    args: [
      '--json',
      '--text',
      '--encoding=none',
      case_sensitive ? '--case-sensitive' : '--ignore-case',
      `--regexp=${exclude_pattern}`,
    ],
    input: matches.map(({ text }) => `${text.replaceAll('\n', ' ')}\n`).join(''),
    folder,
    signal,
    onOutput: (chunk) => found.add(chunk),
  });
  if (problem !== undefined || timedOut) return { problem: problem ?? 'it took too long' };
  const kept = files.map((file) => ({ ...file, lines: file.lines.filter((line) => !excluded.has(line)) }));
  return { files: kept.filter(({ lines }) => lines.some((line) => line.isMatch)) };
}

/** The same limit as for read_file. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/**
 * The number of context lines if the model doesn't set one, as in Gemini CLI: with few matches, it would probably read
 * the surroundings next.
 */
function autoContextLines(matches: number): number {
  if (matches === 1) return 50;
  return matches === 2 || matches === 3 ? 15 : 0;
}

/** Adds the lines around the matches of a file. Returns the file unchanged if it can't be read or has changed. */
async function withContext(file: LocatedFile, around: number, signal: AbortSignal): Promise<LocatedFile> {
  const text = await readText(file.realPath, signal);
  return text === undefined ? file : { ...file, lines: linesAround(text, file.lines, around) };
}

function linesAround(text: string, found: readonly FoundLine[], around: number): readonly FoundLine[] {
  // Like ripgrep: only a line feed ends a line.
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  if (found.some(({ number, text: seen }) => lines[number - 1] !== seen)) return found;
  const matches = new Set(found.map(({ number }) => number));
  const isNear = (number: number): boolean => found.some((line) => Math.abs(line.number - number) <= around);
  return lines
    .map((line, index): FoundLine => ({ number: index + 1, text: line, isMatch: matches.has(index + 1) }))
    .filter(({ number }) => isNear(number));
}

async function readText(path: string, signal: AbortSignal): Promise<string | undefined> {
  const file = await openRegularFile(path);
  if (!file.opened) return undefined;
  try {
    const bytes = await readUpTo(file.handle, file.size, MAX_FILE_BYTES, signal);
    return bytes && decodeText(bytes).text;
  } catch {
    return undefined;
  } finally {
    await file.handle.close();
  }
}

import * as l10n from '@vscode/l10n';
import { cutLine } from '../files/line-window.ts';
import { countText } from '../summary-words.ts';
import { type GrepArguments, maxMatches } from './grep-query.ts';
import { type GrepFindings, type LocatedFile, matchesIn } from './grep-run.ts';
import { counted, nameText } from './output-text.ts';
import { TIMEOUT_MS } from './ripgrep.ts';
import type { FoundLine } from './ripgrep-events.ts';

export interface GrepSelection {
  readonly files: readonly LocatedFile[];
  readonly matches: number;
  /** There are more matches than requested. */
  readonly isLimited: boolean;
}

/** Selects the matches to show, sorted by path and limited per file and in total as requested. */
export function selectMatches(files: readonly LocatedFile[], hasMore: boolean, args: GrepArguments): GrepSelection {
  const limit = maxMatches(args);
  const perFile = args.names_only ? 1 : (args.max_matches_per_file ?? Number.POSITIVE_INFINITY);
  const chosen: LocatedFile[] = [];
  let matches = 0;
  let isLimited = hasMore;
  for (const file of [...files].sort((left, right) => (left.label < right.label ? -1 : 1))) {
    const wanted = upToMatches(file.lines, perFile);
    const lines = upToMatches(wanted, limit - matches);
    if (lines.length < wanted.length) isLimited = true;
    if (lines.length === 0) continue;
    chosen.push({ ...file, lines });
    matches += matchesIn({ ...file, lines });
  }
  return { files: chosen, matches, isLimited };
}

/** The lines before the first match that exceeds the limit. */
function upToMatches(lines: readonly FoundLine[], limit: number): readonly FoundLine[] {
  if (limit <= 0) return [];
  let matches = 0;
  const end = lines.findIndex((line) => line.isMatch && ++matches > limit);
  return end === -1 ? lines : lines.slice(0, end);
}

/** The summary on the card. */
export function summaryOf({ files, matches, isLimited }: GrepSelection, { names_only }: GrepArguments): string {
  if (files.length === 0) return l10n.t('No matches');
  const found = countText(files.length, 'file');
  const summary = names_only ? found : matchesText(matches, found);
  return isLimited ? l10n.t('{0} (limited)', summary) : summary;
}

function matchesText(matches: number, files: string): string {
  return matches === 1 ? l10n.t('1 match in {0}', files) : l10n.t('{0} matches in {1}', matches, files);
}

/** The result for the model. */
export function grepText(
  selection: GrepSelection,
  args: GrepArguments,
  where: string,
  notes: readonly string[],
): string {
  const { files } = selection;
  const after = notes.length === 0 ? '' : `\n${notes.map((note) => `[${note}]`).join('\n')}`;
  if (files.length === 0) return `No matches for "${args.pattern}" in ${where}.${after}`;
  const body = args.names_only ? files.map(({ label }) => nameText(label)).join('\n') : files.map(fileText).join('\n');
  return `${header(selection, args, where)}\n---\n${body}${args.names_only ? '' : '\n---'}${after}`;
}

function header({ files, matches, isLimited }: GrepSelection, args: GrepArguments, where: string): string {
  const what = args.names_only
    ? `${counted(files.length, 'file')} with a match`
    : `${counted(matches, 'match', 'matches')} in ${counted(files.length, 'file')}`;
  const include = args.include_pattern === undefined ? '' : ` (files: "${args.include_pattern}")`;
  const limited = isLimited ? `, limited to ${maxMatches(args)}: there are more` : '';
  return `Found ${what} for "${args.pattern}" in ${where}${include}${limited}.`;
}

function fileText({ label, lines }: LocatedFile): string {
  return [`File: ${nameText(label)}`, ...lines.map(lineText)].join('\n');
}

function lineText({ number, text, isMatch }: FoundLine): string {
  return `L${number}${isMatch ? ':' : '-'} ${cutLine(text)}`;
}

/** Notes for the model about the search, in addition to its result. */
export function notesOf(findings: readonly GrepFindings[], { isLimited }: GrepSelection): string[] {
  const sum = (of: (finding: GrepFindings) => number): number =>
    findings.reduce((total, finding) => total + of(finding), 0);
  const binary = sum((finding) => finding.binary);
  const tooLong = sum((finding) => finding.tooLong);
  return [
    ...(isLimited ? ['Narrow the pattern or the folder, or raise total_max_matches, to see the rest.'] : []),
    ...(findings.some(({ timedOut }) => timedOut)
      ? [`The search was stopped after ${TIMEOUT_MS / 1000} seconds, so matches are missing. Search a smaller folder.`]
      : []),
    ...(findings.some(({ skippedSome }) => skippedSome) ? ['Some files or folders could not be read.'] : []),
    ...(binary > 0 ? [`${counted(binary, 'binary file')} with matches left out.`] : []),
    ...(tooLong > 0 ? [`${counted(tooLong, 'very long line')} left out.`] : []),
  ];
}

import { withLf } from '../../../files/line-ends.ts';
import { editDistanceWithin } from '../../../text/nearest-names.ts';
import { blockOf, blockRegion, endOfLine, splitLines, startOfLine } from './line-blocks.ts';
import { findWithLooseSpace } from './loose-space.ts';
import { applyRegions, lacksOneOf, lineNumbersOf, type Region } from './region.ts';

/** Gemini CLI's limits: shorter texts are similar to too many others, and a tenth of the characters may differ. */
const MIN_CHARS = 10;
const MAX_SCORE = 0.1;
/** The lines of the file times the square of the sought length. This limit takes about a second. */
const MAX_WORK = 400_000_000;
/** White space counts less, because it says little about whether the code is the same. */
const SPACE_WEIGHT = 0.1;

interface Candidate {
  readonly first: number;
  readonly score: number;
}

/** Finds blocks of lines that are almost equal to the sought text. Where blocks overlap, the best one counts. */
function findFuzzy(text: string, wanted: string, replacement: string): Region[] {
  const block = blockOf(wanted);
  const sought = joined(block);
  if (sought.trim().length < MIN_CHARS || block.length * sought.length ** 2 > MAX_WORK) return [];
  const source = splitLines(text);
  if (source.lines.length * sought.length ** 2 > MAX_WORK) return [];
  const soughtBare = withoutSpace(sought);
  const candidates: Candidate[] = [];
  for (let first = 0; first + block.length <= source.lines.length; first++) {
    const window = joined(source.lines.slice(first, first + block.length));
    const score = scoreOf(window, sought, soughtBare);
    if (score !== undefined) candidates.push({ first, score });
  }
  return bestApart(candidates, block.length).map(({ first }) => blockRegion(source, first, block, replacement));
}

function scoreOf(window: string, sought: string, soughtBare: string): number | undefined {
  if (window.length > sought.length * 2 || sought.length > window.length * 2) return undefined;
  const bare = editDistanceWithin(withoutSpace(window), soughtBare, Math.floor(sought.length * MAX_SCORE));
  if (bare === undefined) return undefined;
  const whole = editDistanceWithin(window, sought, sought.length * 2) ?? sought.length * 2;
  const score = (bare + SPACE_WEIGHT * (whole - bare)) / sought.length;
  return score <= MAX_SCORE ? score : undefined;
}

function bestApart(candidates: readonly Candidate[], lines: number): Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of [...candidates].sort((left, right) => left.score - right.score || left.first - right.first)) {
    if (chosen.every(({ first }) => Math.abs(first - candidate.first) >= lines)) chosen.push(candidate);
  }
  return chosen.sort((left, right) => left.first - right.first);
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd()).join('\n');
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '');
}

/** Finds the same lines, ignoring white space at both ends of each line. */
function findFlexible(text: string, wanted: string, replacement: string): Region[] {
  const block = blockOf(wanted);
  const sought = block.map((line) => line.trim());
  if (lacksOneOf(text, sought)) return [];
  const places = placesOf(text, sought);
  if (places.length === 0) return [];
  const source = splitLines(text);
  return places.map((first) => blockRegion(source, first, block, replacement));
}

/**
 * The first lines, counted from zero, of all non-overlapping occurrences of the trimmed lines. The time is linear in
 * both lengths (Knuth, Morris, Pratt), and lines that can't begin an occurrence are skipped by a search for text.
 */
function placesOf(text: string, sought: readonly string[]): number[] {
  const ends: number[] = [];
  const [begins = ''] = sought;
  const falls = fallsOf(sought);
  for (let [start, matched] = [0, 0]; start <= text.length; ) {
    if (matched === 0) {
      const next = text.indexOf(begins, start);
      if (next === -1) break;
      start = startOfLine(text, next);
    }
    const end = endOfLine(text, start);
    const line = text.slice(start, end).trim();
    while (matched > 0 && sought[matched] !== line) matched = falls[matched - 1] ?? 0;
    if (sought[matched] === line) matched++;
    if (matched === sought.length) {
      ends.push(end);
      matched = 0;
    }
    start = end + 1;
  }
  return lineNumbersOf(text, ends).map((last) => last - sought.length);
}

/** For each position, how many lines from the beginning still match after a mismatch. */
function fallsOf(sought: readonly string[]): number[] {
  const falls = [0];
  for (let [at, matched] = [1, 0]; at < sought.length; at++) {
    while (matched > 0 && sought[matched] !== sought[at]) matched = falls[matched - 1] ?? 0;
    if (sought[matched] === sought[at]) matched++;
    falls.push(matched);
  }
  return falls;
}

export interface Replacement {
  readonly wanted: string;
  readonly replacement: string;
  readonly allowMultiple: boolean;
}

export type ReplaceOutcome =
  | {
      readonly kind: 'replaced';
      readonly after: string;
      readonly strategy: Strategy;
      /** The line ranges of the matches in the original text. */
      readonly places: readonly LineSpan[];
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'found_often'; readonly lines: readonly number[] }
  | { readonly kind: 'no_change' };

export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** Replaces text with any line ends. The search uses LF, and unchanged text keeps its own line ends. */
export function replaceText(before: string, { wanted, replacement, allowMultiple }: Replacement): ReplaceOutcome {
  const lf = withLf(before);
  const found = findRegions(lf, withLf(wanted), withLf(replacement));
  if (!found) return { kind: 'not_found' };
  const { regions, strategy } = found;
  if (regions.length > 1 && !allowMultiple) {
    return {
      kind: 'found_often',
      lines: lineNumbersOf(
        lf,
        regions.map(({ start }) => start),
      ),
    };
  }
  const after = applyRegions(before, regions);
  if (after === before) return { kind: 'no_change' };
  return { kind: 'replaced', after, strategy, places: spansOf(lf, regions) };
}

function spansOf(text: string, regions: readonly Region[]): LineSpan[] {
  const lines = lineNumbersOf(
    text,
    regions.flatMap(({ start, end }) => [start, Math.max(start, end - 1)]),
  );
  return regions.map((_, index) => ({ first: lines[2 * index] ?? 1, last: lines[2 * index + 1] ?? 1 }));
}

function findExact(text: string, wanted: string, replacement: string): Region[] {
  const regions: Region[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    regions.push({ start: at, end: at + wanted.length, text: replacement });
  }
  return regions;
}

type Strategy = 'exact' | 'flexible' | 'loose_space' | 'fuzzy';

interface Found {
  readonly strategy: Strategy;
  /** Sorted, not overlapping, at least one. */
  readonly regions: readonly Region[];
}

type Find = (text: string, wanted: string, replacement: string) => Region[];

/** From the strictest to the most lenient strategy. The first one that finds something decides. */
const STRATEGIES: readonly (readonly [Strategy, Find])[] = [
  ['exact', findExact],
  ['flexible', findFlexible],
  ['loose_space', findWithLooseSpace],
  ['fuzzy', findFuzzy],
];

/** Finds `wanted` in the text; all texts have LF. A text of only white space is matched exactly. */
function findRegions(text: string, wanted: string, replacement: string): Found | undefined {
  const usable = wanted.trim() === '' ? STRATEGIES.slice(0, 1) : STRATEGIES;
  for (const [strategy, find] of usable) {
    const regions = find(text, wanted, replacement);
    if (regions.length > 0) return { strategy, regions };
  }
  return undefined;
}

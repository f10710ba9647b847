import { withLf } from '../../../files/line-ends.ts';
import { editDistanceWithin } from '../../../text/nearest-names.ts';
import { blockOf, blockRegion, splitLines } from './line-blocks.ts';
import { findWithLooseSpace } from './loose-space.ts';
import { applyRegions, lacksOneOf, lineNumbersOf, type Region } from './region.ts';

/** The limits are Gemini CLI's: shorter texts are like too many others, and a tenth of the characters may differ. */
const MIN_CHARS = 10;
const MAX_SCORE = 0.1;
/** Lines of the file times the square of what is sought: about a second. */
const MAX_WORK = 400_000_000;
/** White space says little about whether it is the same code. */
const SPACE_WEIGHT = 0.1;

interface Candidate {
  readonly first: number;
  readonly score: number;
}

/** The blocks of lines that are nearly what was sought; the best ones where they overlap. */
function findFuzzy(text: string, wanted: string, replacement: string): Region[] {
  const block = blockOf(wanted);
  const sought = joined(block);
  if (sought.trim().length < MIN_CHARS || sought.length ** 2 > MAX_WORK) return [];
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

/** The same lines, whatever stands before and after the text on each of them. */
function findFlexible(text: string, wanted: string, replacement: string): Region[] {
  const block = blockOf(wanted);
  const sought = block.map((line) => line.trim());
  if (lacksOneOf(text, sought)) return [];
  const source = splitLines(text);
  const trimmed = source.lines.map((line) => line.trim());
  return placesOf(trimmed, sought).map((first) => blockRegion(source, first, block, replacement));
}

/** Where the lines stand one after the other, apart from each other, in time that grows with both together (Knuth, Morris, Pratt). */
function placesOf(lines: readonly string[], sought: readonly string[]): number[] {
  const places: number[] = [];
  const falls = fallsOf(sought);
  let matched = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    while (matched > 0 && sought[matched] !== line) matched = falls[matched - 1] ?? 0;
    if (sought[matched] === line) matched++;
    if (matched < sought.length) continue;
    places.push(at - matched + 1);
    matched = 0;
  }
  return places;
}

/** How much of the beginning is still matched when a line fits no more. */
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
      /** Where it was found, as lines of the text before. */
      readonly places: readonly LineSpan[];
    }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'found_often'; readonly lines: readonly number[] }
  | { readonly kind: 'no_change' };

export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** Works on any line ends: what is sought is compared with LF, and what stays keeps its own. */
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
  /** Sorted, apart from each other, at least one. */
  readonly regions: readonly Region[];
}

type Find = (text: string, wanted: string, replacement: string) => Region[];

/** From the strictest to the most forgiving; the first that finds something decides. */
const STRATEGIES: readonly (readonly [Strategy, Find])[] = [
  ['exact', findExact],
  ['flexible', findFlexible],
  ['loose_space', findWithLooseSpace],
  ['fuzzy', findFuzzy],
];

/** Where `wanted` stands in the text, all with LF. White space alone is only ever meant literally. */
function findRegions(text: string, wanted: string, replacement: string): Found | undefined {
  const usable = wanted.trim() === '' ? STRATEGIES.slice(0, 1) : STRATEGIES;
  for (const [strategy, find] of usable) {
    const regions = find(text, wanted, replacement);
    if (regions.length > 0) return { strategy, regions };
  }
  return undefined;
}

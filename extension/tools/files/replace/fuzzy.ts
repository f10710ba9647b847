import { editDistanceWithin } from '../../../text/edit-distance.ts';
import { blockOf, blockRegion, splitLines } from './line-blocks.ts';
import type { Region } from './region.ts';

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
export function findFuzzy(text: string, wanted: string, replacement: string): Region[] {
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

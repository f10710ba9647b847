import { lacksOneOf } from './lacks-one.ts';
import { blockOf, blockRegion, splitLines } from './line-blocks.ts';
import type { Region } from './region.ts';

/** The same lines, whatever stands before and after the text on each of them. */
export function findFlexible(text: string, wanted: string, replacement: string): Region[] {
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

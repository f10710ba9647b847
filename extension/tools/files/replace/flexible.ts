import { blockOf, blockRegion, splitLines } from './line-blocks.ts';
import type { Region } from './region.ts';

/** The same lines, whatever stands before and after the text on each of them. */
export function findFlexible(text: string, wanted: string, replacement: string): Region[] {
  const source = splitLines(text);
  const block = blockOf(wanted);
  const [trimmed, sought] = [source.lines.map((line) => line.trim()), block.map((line) => line.trim())];
  const regions: Region[] = [];
  for (let first = 0; first + sought.length <= trimmed.length; ) {
    const isHere = sought.every((line, offset) => trimmed[first + offset] === line);
    if (isHere) regions.push(blockRegion(source, first, block, replacement));
    first += isHere ? sought.length : 1;
  }
  return regions;
}

import { findExact } from './exact.ts';
import { findFlexible } from './flexible.ts';
import { findFuzzy } from './fuzzy.ts';
import { findWithLooseSpace } from './loose-space.ts';
import type { Region } from './region.ts';

export type Strategy = 'exact' | 'flexible' | 'loose_space' | 'fuzzy';

export interface Found {
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
export function findRegions(text: string, wanted: string, replacement: string): Found | undefined {
  const usable = wanted.trim() === '' ? STRATEGIES.slice(0, 1) : STRATEGIES;
  for (const [strategy, find] of usable) {
    const regions = find(text, wanted, replacement);
    if (regions.length > 0) return { strategy, regions };
  }
  return undefined;
}

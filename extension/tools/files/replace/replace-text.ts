import { withLf } from '../../../files/line-ends.ts';
import { findRegions, type Strategy } from './find-regions.ts';
import { applyRegions, linesOf, type Region } from './region.ts';

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
      lines: linesOf(
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
  const lines = linesOf(
    text,
    regions.flatMap(({ start, end }) => [start, Math.max(start, end - 1)]),
  );
  return regions.map((_, index) => ({ first: lines[2 * index] ?? 1, last: lines[2 * index + 1] ?? 1 }));
}

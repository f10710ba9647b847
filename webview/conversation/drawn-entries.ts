import type { ReadingPlace } from '../state/places.ts';
import type { EntryCell, PanelTranscript } from '../state/transcript.ts';
import { entryToAskFor, NOTHING, OVERSCAN, type Range, rangeToDraw, type Seen, visibleRange } from './drawn-range.ts';
import type { EntryView } from './entry-view.ts';
import type { Layout } from './follow-end.ts';
import { Heights } from './heights.ts';

/** An entry, or a gap that replaces several entries. */
export interface Drawn {
  readonly key: unknown;
  readonly cell?: EntryCell;
  readonly size: number;
}

/** If the panel has more entries than this, it requests a smaller window. The host sends at most 400. */
const MOST_HELD = 300;

/** Tracks which entries of the conversation are drawn, and the heights of all of them. */
export class DrawnEntries {
  readonly heights = new Heights();
  items: readonly Drawn[] = [];
  private transcript: PanelTranscript | undefined;
  private generation = -1;
  private range: Range = NOTHING;
  private indexes: readonly number[] = [];
  private width = 0;
  private overscan = 0;

  /** Applies the changes of the transcript. Returns true if it is another conversation. */
  take(transcript: PanelTranscript): boolean {
    this.transcript = transcript;
    const reshapings = transcript.takeReshapings();
    const isOther = transcript.generation !== this.generation;
    this.generation = transcript.generation;
    if (isOther) this.begin(transcript.total);
    else this.heights.apply(reshapings);
    return isOther;
  }

  /** Draws only the visible entries at first, so that they appear quickly. */
  private begin(total: number): void {
    this.heights.reset(total);
    this.range = NOTHING;
    this.overscan = 0;
  }

  get isAtFirst(): boolean {
    return this.overscan === 0;
  }

  /** From now on, also draws entries around the visible ones. */
  drawAround(): void {
    this.overscan = OVERSCAN;
  }

  choose(seen: Seen, pinned: readonly number[]): void {
    const { transcript } = this;
    if (!transcript) return;
    this.range = this.rangeFor(seen);
    this.indexes = this.indexesFor(this.range, pinned);
    this.items = this.withGaps(transcript);
  }

  isEnough(seen: Seen, pinned: readonly number[]): boolean {
    const range = this.rangeFor(seen);
    return range === this.range && this.indexesFor(range, pinned).join() === this.indexes.join();
  }

  isHeld(index: number): boolean {
    return this.held.start <= index && index < this.held.end;
  }

  /** The index around which more entries are needed. */
  lacking(seen: Seen): number | undefined {
    const total = this.transcript?.total ?? 0;
    return entryToAskFor(visibleRange(this.heights, seen), this.held, total, MOST_HELD);
  }

  indexOf(entry: EntryView): number {
    return this.transcript?.indexOf(entry.cell.entry.id) ?? -1;
  }

  elementAt(index: number, content: HTMLElement): EntryView | undefined {
    return entriesIn(content)[this.indexes.indexOf(index)];
  }

  /** Measures entries including the space after them. Returns true if the sizes of the gaps changed. */
  measure(content: HTMLElement): boolean {
    if (content.clientWidth === 0) return false;
    if (content.clientWidth !== this.width) this.heights.forget();
    this.width = content.clientWidth;
    const sizes = new Map<number, number>();
    for (const [at, entry] of entriesIn(content).entries()) {
      const index = this.indexes[at];
      const next = entry.nextElementSibling;
      const bottom = next instanceof HTMLElement ? next.offsetTop : entry.offsetTop + entry.offsetHeight;
      if (index !== undefined) sizes.set(index, Math.max(0, bottom - entry.offsetTop));
    }
    return this.heights.measured(sizes);
  }

  layout(scroller: HTMLElement, content: HTMLElement): Layout {
    const topOf = (entry: Element): number => entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    return {
      firstSeen: (): ReadingPlace | undefined => {
        const entry = entriesIn(content).find((one) => topOf(one) + one.offsetHeight > 1);
        if (!entry || topOf(entry) >= scroller.clientHeight) return undefined;
        return { id: entry.cell.entry.id, offset: topOf(entry) };
      },
      topOf: (id) => {
        const entry = entriesIn(content).find(({ cell }) => cell.entry.id === id);
        return entry && topOf(entry);
      },
    };
  }

  private get held(): Range {
    return this.transcript ?? NOTHING;
  }

  private rangeFor(seen: Seen): Range {
    return rangeToDraw(this.heights, seen, this.overscan, this.held, this.range);
  }

  private indexesFor({ start, end }: Range, pinned: readonly number[]): readonly number[] {
    const indexes = new Set(pinned.filter((index) => this.isHeld(index)));
    for (let index = start; index < end; index++) indexes.add(index);
    return [...indexes].sort((a, b) => a - b);
  }

  private withGaps({ start, cells, total }: PanelTranscript): readonly Drawn[] {
    const items: Drawn[] = [];
    let next = 0;
    const close = (end: number): void => {
      if (end > next) items.push({ key: `gap ${items.length}`, size: this.heights.between(next, end) });
    };
    for (const index of this.indexes) {
      const cell = cells[index - start];
      if (!cell) continue;
      close(index);
      items.push({ key: cell, cell, size: 0 });
      next = index + 1;
    }
    close(total);
    return items;
  }
}

function entriesIn(content: HTMLElement): readonly EntryView[] {
  return [...content.children].filter((child) => child.localName === 'gantry-entry') as EntryView[];
}

/** Replaces entries that are not drawn, with their estimated height. */
class Gap extends HTMLElement {
  /** In pixels. It is not an attribute, because the content security policy forbids inline styles. */
  set size(size: number) {
    this.style.height = `${size}px`;
  }
}

customElements.define('gantry-gap', Gap);

declare global {
  interface HTMLElementTagNameMap {
    'gantry-gap': Gap;
  }
}

/** A selection over more entries than this loses its middle when it is scrolled out of view. */
const MOST_SELECTED = 100;

/** The entries that stay drawn although the reader has scrolled away: the focused and the selected ones. */
export function pinnedEntries(root: HTMLElement): readonly EntryView[] {
  const pinned = new Set<EntryView>();
  const focused = entryOf(document.activeElement, root);
  if (focused) pinned.add(focused);
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return [...pinned];
  const entries = [...root.querySelectorAll('gantry-entry')].filter((entry) => selection.containsNode(entry, true));
  for (const entry of entries.slice(0, MOST_SELECTED)) pinned.add(entry);
  return [...pinned];
}

function entryOf(node: Element | null, root: HTMLElement): EntryView | undefined {
  const entry = node?.closest('gantry-entry');
  return entry && root.contains(entry) ? entry : undefined;
}

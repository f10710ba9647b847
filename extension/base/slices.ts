/** Longer work without a pause would be noticed: while typing in the editor, or in a terminal that scrolls. */
const SLICE_MS = 10;

/** Pauses long work from time to time, so that the process can do other work. */
export class Slices {
  private since = performance.now();

  /** Waits if the work has taken long enough without a pause. */
  async pause(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.since = performance.now();
  }
}

/** The number of items that each step adds. */
const ITEMS = 250;

/**
 * Processes a long list step by step, with pauses: `work` gets the first 250 items, then the first 500, and so on. The
 * first `known` items were processed earlier. Only for work that caches its results. The caller processes the whole list.
 */
export async function inSlices<Item>(
  items: readonly Item[],
  known: number,
  work: (beginning: readonly Item[]) => void,
): Promise<void> {
  if (items.length - known <= ITEMS) return;
  const slices = new Slices();
  for (let end = known + ITEMS; end < items.length; end += ITEMS) {
    work(items.slice(0, end));
    await slices.pause();
  }
}

/** The items in groups of this size; the last group may be smaller. */
export function batches<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

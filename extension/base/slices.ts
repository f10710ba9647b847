/** Longer work without a break would be noticed: while typing in the editor, or in a terminal that scrolls. */
const SLICE_MS = 10;

/** Breaks in long work, so that the rest of the process goes on meanwhile. */
export class Slices {
  private since = performance.now();

  /** Waits if the work has taken long enough without a break. */
  async pause(): Promise<void> {
    if (performance.now() - this.since < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.since = performance.now();
  }
}

/** How many items a beginning has more than the one before it. */
const ITEMS = 250;

/**
 * Calls `work` with longer and longer beginnings of a list of which `known` items were processed before, and takes
 * breaks. It is meant for work that remembers what it has done. The whole list is left to the caller.
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

/**
 * Maps a list that usually only grows. Items that were at the same place last time keep their result, which is much
 * faster than looking up each item. Items are compared by identity.
 */
export class GrowingList<Item, Result> {
  private readonly items: Item[] = [];
  private readonly results: Result[] = [];

  /** `before` is the item before it, and `result` the result of that. */
  constructor(private readonly make: (item: Item, before: Item | undefined, result: Result | undefined) => Result) {}

  /** The results are valid until the next call. */
  map(items: readonly Item[]): readonly Result[] {
    const { items: known, results } = this;
    let same = 0;
    while (same < known.length && same < items.length && known[same] === items[same]) same++;
    known.length = same;
    results.length = same;
    for (let at = same; at < items.length; at++) {
      const item = items[at] as Item;
      results.push(this.make(item, known[at - 1], results[at - 1]));
      known.push(item);
    }
    return results;
  }
}

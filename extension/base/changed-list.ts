/** The items that two lists have in common, at their beginnings and at their ends. */
export interface SameItems {
  readonly start: number;
  /** They are behind `start` in both lists. */
  readonly end: number;
}

/** Compares lists in which few items have changed. */
export function sameItems<T>(before: readonly T[], after: readonly T[]): SameItems {
  const shorter = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < shorter && before[start] === after[start]) start++;
  while (end < shorter - start && before[before.length - end - 1] === after[after.length - end - 1]) end++;
  return { start, end };
}

/** Makes a value of each item of a list that changes, and makes only those anew whose items have changed. */
export class ChangedList<Item, Value> {
  private items: readonly Item[] = [];
  private values: readonly Value[] = [];

  constructor(private readonly make: (item: Item) => Value) {}

  of(items: readonly Item[]): readonly Value[] {
    const { start, end } = sameItems(this.items, items);
    const changed = items.slice(start, items.length - end).map(this.make);
    const { values } = this;
    this.values = [...values.slice(0, start), ...changed, ...values.slice(values.length - end)];
    this.items = items;
    return this.values;
  }
}

/** The same as `flatMap`, which takes several times as long for thousands of short lists. */
export function joinLists<Item, Value>(items: readonly Item[], listOf: (item: Item) => readonly Value[]): Value[] {
  const joined: Value[] = [];
  for (const item of items) for (const value of listOf(item)) joined.push(value);
  return joined;
}

/**
 * Returns items that are new since the last call. Items that disappear are forgotten, so that they are reported again
 * when they return.
 */
export class News<Item> {
  private reported: ReadonlySet<string> = new Set();

  constructor(private readonly textOf: (item: Item) => string = (item) => JSON.stringify(item)) {}

  /** `items` are all current items. */
  take(items: readonly Item[]): readonly Item[] {
    const fresh = items.filter((item) => !this.reported.has(this.textOf(item)));
    this.reported = new Set(items.map(this.textOf));
    return fresh;
  }
}

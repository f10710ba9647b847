/** Reports what was not the case before. What ends is forgotten, so that it is reported again when it comes back. */
export class News<Item> {
  private told: ReadonlySet<string> = new Set();

  constructor(private readonly textOf: (item: Item) => string = (item) => JSON.stringify(item)) {}

  /** Of all that is the case now. */
  take(items: readonly Item[]): readonly Item[] {
    const fresh = items.filter((item) => !this.told.has(this.textOf(item)));
    this.told = new Set(items.map(this.textOf));
    return fresh;
  }
}

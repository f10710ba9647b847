/**
 * The steps that the reader expanded, or collapsed if expanded by default. An expanded step never collapses by itself.
 */
export class Disclosures {
  private readonly opened: Set<string>;

  constructor(
    opened: Iterable<string>,
    private readonly onChange: () => void,
  ) {
    this.opened = new Set(opened);
  }

  isOpen(id: string, openAtFirst = false): boolean {
    return this.opened.has(keyOf(id, openAtFirst)) !== openAtFirst;
  }

  toggle(id: string, openAtFirst = false): void {
    const key = keyOf(id, openAtFirst);
    if (!this.opened.delete(key)) this.opened.add(key);
    this.onChange();
  }

  /** Newest last. The limit keeps the saved state small. */
  list(limit = 200): string[] {
    return [...this.opened].slice(-limit);
  }
}

function keyOf(id: string, openAtFirst: boolean): string {
  return openAtFirst ? `closed ${id}` : id;
}

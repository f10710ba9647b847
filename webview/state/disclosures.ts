/** Which steps the reader has opened, or closed where they are open at first. An open one never closes by itself. */
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

  /** Newest last; old conversations must not make the saved state grow without end. */
  list(limit = 200): string[] {
    return [...this.opened].slice(-limit);
  }
}

function keyOf(id: string, openAtFirst: boolean): string {
  return openAtFirst ? `closed ${id}` : id;
}

/** Which steps the reader has opened. An open one never closes by itself. */
export class Disclosures {
  private readonly opened: Set<string>;

  constructor(
    opened: Iterable<string>,
    private readonly onChange: () => void,
  ) {
    this.opened = new Set(opened);
  }

  isOpen(id: string): boolean {
    return this.opened.has(id);
  }

  toggle(id: string): void {
    if (!this.opened.delete(id)) this.opened.add(id);
    this.onChange();
  }

  /** Newest last; old conversations must not make the saved state grow without end. */
  list(limit = 200): string[] {
    return [...this.opened].slice(-limit);
  }
}

/** A second click or key press meant for the previous item must not answer for one that the user has not read. */
export const SETTLE_MS = 300;

/** Tracks since when items have been listed, by id. */
export class FirstSeen {
  private since: ReadonlyMap<string, number> = new Map();

  constructor(private readonly now: () => number = Date.now) {}

  /** Updates the list: these ids are present, and no others. */
  note(ids: readonly string[]): void {
    const now = this.now();
    this.since = new Map(ids.map((id) => [id, this.since.get(id) ?? now]));
  }

  /** Marks an item as seen long ago, because it only has a new id. */
  settle(id: string): void {
    this.since = new Map([...this.since, [id, 0]]);
  }

  /** Whether an item is too new to be answered. An unknown item is, too. */
  isSettling(id: string): boolean {
    const since = this.since.get(id);
    return since === undefined || this.now() - since < SETTLE_MS;
  }
}

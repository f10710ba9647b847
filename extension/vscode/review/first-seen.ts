/** A second press or click meant for what was there before must not answer for something that nobody has read. */
export const SETTLE_MS = 300;

/** Since when things have been there, by id. */
export class FirstSeen {
  private since: ReadonlyMap<string, number> = new Map();

  constructor(private readonly now: () => number = Date.now) {}

  /** These are there, and no others. */
  note(ids: readonly string[]): void {
    const now = this.now();
    this.since = new Map(ids.map((id) => [id, this.since.get(id) ?? now]));
  }

  /** It is there since long ago, under whatever id. */
  settle(id: string): void {
    this.since = new Map([...this.since, [id, 0]]);
  }

  /** So is one that nobody has noted yet. */
  isSettling(id: string): boolean {
    const since = this.since.get(id);
    return since === undefined || this.now() - since < SETTLE_MS;
  }
}

/** A map that drops the least recently used entry when it is full. */
export class LruMap<Value> {
  private readonly entries = new Map<string, Value>();

  constructor(private readonly capacity: number) {}

  get(key: string): Value | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    // A map keeps the order of insertion, so the first key is the oldest.
    this.entries.delete(key);
    this.entries.set(key, value);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.capacity && oldest !== undefined) this.entries.delete(oldest);
  }
}

/** Those who listen to one event. */
export class Emitter<Value = void> {
  private readonly listeners = new Set<(value: Value) => void>();

  /** With `failed` a listener that throws is reported there, and the others are called all the same. */
  constructor(private readonly failed?: (error: unknown, value: Value) => void) {}

  get hasListeners(): boolean {
    return this.listeners.size > 0;
  }

  /** Returns what ends it. Can be handed out as it is. */
  readonly on = (listener: (value: Value) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Whoever begins to listen meanwhile hears of the next one. */
  fire(value: Value): void {
    for (const listener of [...this.listeners]) {
      if (this.listeners.has(listener)) this.call(listener, value);
    }
  }

  clear(): void {
    this.listeners.clear();
  }

  private call(listener: (value: Value) => void, value: Value): void {
    try {
      listener(value);
    } catch (error) {
      if (!this.failed) throw error;
      this.failed(error, value);
    }
  }
}

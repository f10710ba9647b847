/** The listeners of one event. */
export class Emitter<Value = void> {
  private readonly listeners = new Set<(value: Value) => void>();

  /** `failed` receives the errors of listeners, and the other listeners are still called. */
  constructor(private readonly failed?: (error: unknown, value: Value) => void) {}

  get hasListeners(): boolean {
    return this.listeners.size > 0;
  }

  /** Returns a function that removes the listener. It is bound, so that it can be passed on as a function. */
  readonly on = (listener: (value: Value) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Listeners that are added meanwhile only receive the next event. */
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

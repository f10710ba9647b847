/** Runs tasks one after the other. A failed task does not stop the next one. */
export class InOrder {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks added so far are done. */
  async idle(): Promise<void> {
    await this.last;
  }
}

/** One thing after the other, each when the one before is over, however that ended. */
export class InOrder {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything that was begun so far is over. */
  async idle(): Promise<void> {
    await this.last;
  }
}

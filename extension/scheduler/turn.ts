/** Keeps approvals in the order of the calls, however long it takes to find out whether one is required. */
export class Turn {
  readonly taken: Promise<void>;
  pass: () => void = () => undefined;

  constructor(private readonly before: Promise<unknown>) {
    this.taken = new Promise((resolve) => {
      this.pass = resolve;
    });
  }

  /** Waits for the turn; the request that follows is shown before the next turn starts. */
  async take(): Promise<void> {
    await this.before;
    setImmediate(this.pass);
  }
}

/** Questions are asked in the order of the calls, however long it takes to find out whether one is needed. */
export class Turn {
  readonly taken: Promise<void>;
  pass: () => void = () => undefined;

  constructor(private readonly before: Promise<unknown>) {
    this.taken = new Promise((resolve) => {
      this.pass = resolve;
    });
  }

  /** The question that follows is asked before the next one's turn comes. */
  async take(): Promise<void> {
    await this.before;
    setImmediate(this.pass);
  }
}

/** How long to wait before each further start, in ms. After the last one a person has to look at it. */
const WAITS = [1_000, 2_000, 4_000, 8_000, 16_000];

/** After running this long, a server starts with no failures counted. */
const WELL_MS = 60_000;

/** When a server that failed or ended is started again. */
export class RestartPlan {
  private failures = 0;
  private readySince: number | undefined;

  constructor(private readonly now: () => number) {}

  ready(): void {
    this.readySince = this.now();
  }

  /** How long to wait, or undefined when it has failed often enough. */
  failed(): number | undefined {
    const wasWell = this.readySince !== undefined && this.now() - this.readySince >= WELL_MS;
    this.readySince = undefined;
    if (wasWell) this.failures = 0;
    return WAITS[this.failures++];
  }

  /** A person wants it to be tried again. */
  reset(): void {
    this.failures = 0;
    this.readySince = undefined;
  }
}

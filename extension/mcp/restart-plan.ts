/** The wait before each restart, in ms. After the last one, only the user can restart the server. */
const WAITS = [1_000, 2_000, 4_000, 8_000, 16_000];

/** After running this long, earlier failures of a server no longer count. */
const WELL_MS = 60_000;

/** Decides when a server that failed or ended is restarted. */
export class RestartPlan {
  private failures = 0;
  private readySince: number | undefined;

  constructor(private readonly now: () => number) {}

  ready(): void {
    this.readySince = this.now();
  }

  /** How long to wait. Undefined if it has failed too often. */
  failed(): number | undefined {
    const wasWell = this.readySince !== undefined && this.now() - this.readySince >= WELL_MS;
    this.readySince = undefined;
    if (wasWell) this.failures = 0;
    return WAITS[this.failures++];
  }

  /** Called when the user restarts the server. */
  reset(): void {
    this.failures = 0;
    this.readySince = undefined;
  }
}

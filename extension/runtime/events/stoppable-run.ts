import type { AgentEndReason } from '../../protocol/agent/agent-event.ts';

export interface RunEnd {
  readonly reason: AgentEndReason;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Something that works until it is done, and can be ended before: by somebody, or from within. */
export abstract class StoppableRun {
  protected readonly abort = new AbortController();
  /** How it was ended from within. */
  protected cut: RunEnd | undefined;
  private stoppedByUser = false;

  /** By somebody, as opposed to a limit or a failure. */
  get stopped(): boolean {
    return this.stoppedByUser;
  }

  stop(): void {
    this.stoppedByUser = true;
    this.abort.abort();
  }

  /** Ends it from within, as a limit or a hook wants it. */
  endWith(end: RunEnd): void {
    this.cut ??= end;
    this.abort.abort();
  }

  /** Never rejects. */
  abstract go(): Promise<RunEnd>;
}

import type { AgentEndReason } from '../../protocol/agent/agent-event.ts';

export interface RunEnd {
  readonly reason: AgentEndReason;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Work that can end early: stopped by the user, or ended from within, for example by a limit or a hook. */
export abstract class StoppableRun {
  protected readonly abort = new AbortController();
  /** The reason for which the run was ended from within. */
  protected cut: RunEnd | undefined;
  private stoppedByUser = false;

  /** Whether the user stopped the run, as opposed to a limit or a failure. */
  get stopped(): boolean {
    return this.stoppedByUser;
  }

  stop(): void {
    this.stoppedByUser = true;
    this.abort.abort();
  }

  /** Ends the run from within, for example because of a limit or a hook. */
  endWith(end: RunEnd): void {
    this.cut ??= end;
    this.abort.abort();
  }

  /** Never rejects. */
  abstract go(): Promise<RunEnd>;
}

/** The current run. */
export interface RunningRun {
  readonly run: StoppableRun;
  readonly streamId: string;
  readonly ended: Promise<void>;
}

/** The current state of a session. It is created first, because many parts of the session depend on it. */
export class SessionStatus {
  running: RunningRun | undefined;
  /** The other process that has this session open for writing, so that it can only be read here. */
  heldBy: string | undefined;
  /** Whether records are being read from the log, which report what happened earlier. */
  isReplaying = false;

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Ends the current run from within. */
  endRun(end: RunEnd): void {
    this.running?.run.endWith(end);
  }
}

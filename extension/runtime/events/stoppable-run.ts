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

/** The run of this moment. */
export interface RunningRun {
  readonly run: StoppableRun;
  readonly streamId: string;
  readonly ended: Promise<void>;
}

/** What happens in a session at this moment. It exists before the parts of the session, many of which depend on it. */
export class SessionStatus {
  running: RunningRun | undefined;
  /** Who else writes this session, so that it can only be read here. */
  heldBy: string | undefined;
  /** The records come from the log: what they report happened earlier. */
  isReplaying = false;

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** Ends the run of this moment from within. */
  endRun(end: RunEnd): void {
    this.running?.run.endWith(end);
  }
}

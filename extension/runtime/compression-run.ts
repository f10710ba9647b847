import type { CompactionStatus } from '../protocol/compaction.ts';
import type { RunEnd } from './agent-run.ts';
import type { SessionCompaction } from './session-compaction.ts';

/** A run that asks the model nothing but for a snapshot, because the user wants one. */
export class CompressionRun {
  private readonly abort = new AbortController();
  private cut: RunEnd | undefined;
  private stoppedByUser = false;

  constructor(private readonly compaction: Pick<SessionCompaction, 'byHand'>) {}

  get stopped(): boolean {
    return this.stoppedByUser;
  }

  stop(): void {
    this.stoppedByUser = true;
    this.abort.abort();
  }

  endWith(end: RunEnd): void {
    this.cut ??= end;
    this.abort.abort();
  }

  async go(): Promise<RunEnd> {
    const status = this.abort.signal.aborted ? 'STOPPED' : await this.compaction.byHand(this.abort.signal);
    return this.cut ?? { reason: REASONS[status] };
  }
}

const REASONS: Readonly<Record<CompactionStatus, RunEnd['reason']>> = {
  COMPRESSED: 'completed',
  CONTENT_TRUNCATED: 'completed',
  NOOP: 'failed',
  EMPTY: 'failed',
  INFLATED: 'failed',
  FAILED: 'failed',
  STOPPED: 'aborted',
};

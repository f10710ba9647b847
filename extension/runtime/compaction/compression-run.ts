import type { CompactionStatus } from '../../protocol/agent/compaction.ts';
import { type RunEnd, StoppableRun } from '../events/stoppable-run.ts';
import type { SessionCompaction } from './session-compaction.ts';

/** A run that asks the model nothing but for a snapshot, because the user wants one. */
export class CompressionRun extends StoppableRun {
  constructor(private readonly compaction: Pick<SessionCompaction, 'byHand'>) {
    super();
  }

  override async go(): Promise<RunEnd> {
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

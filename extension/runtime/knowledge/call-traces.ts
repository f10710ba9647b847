import type { SessionHistory } from '../../sessions/session-history.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';

/** What a finished call has left behind, and how many events there were when it ended. */
interface Trace {
  readonly after: number;
  readonly plan?: string;
  readonly skill?: string;
}

/** What calls have left that counts for the rest of the session: the approved plan and the skills. Not past a rewind. */
export class CallTraces {
  private kept: readonly Trace[] = [];
  /** What the last rewind took away, as long as it can be undone. */
  private cut: readonly Trace[] = [];

  constructor(private readonly history: Pick<SessionHistory, 'events'>) {}

  get approvedPlan(): string | undefined {
    return this.kept.findLast(({ plan }) => plan !== undefined)?.plan;
  }

  get skills(): readonly string[] {
    return [...new Set(this.kept.flatMap(({ skill }) => skill ?? []))];
  }

  /** To be told about every record after the history was. */
  take(record: SessionRecord): void {
    switch (record.type) {
      case 'tool_finished':
        if (record.state === 'success') this.add(record.result.data ?? {});
        return;
      case 'rewind':
        this.cut = this.kept.filter(({ after }) => after > this.history.events.length);
        this.kept = this.kept.filter(({ after }) => after <= this.history.events.length);
        return;
      case 'rewind_undone':
        this.kept = [...this.kept, ...this.cut];
        this.cut = [];
        return;
      case 'sent':
        this.cut = [];
        return;
      case 'hook':
        if (record.kind === 'clear') this.kept = [];
    }
  }

  private add({ approvedPlan: plan, skill }: Readonly<Record<string, unknown>>): void {
    const trace: Trace = {
      after: this.history.events.length,
      ...(typeof plan === 'string' && { plan }),
      ...(typeof skill === 'string' && { skill }),
    };
    if (trace.plan !== undefined || trace.skill !== undefined) this.kept = [...this.kept, trace];
  }
}

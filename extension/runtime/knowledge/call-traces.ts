import type { SessionHistory } from '../../sessions/session-history.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';

/** A lasting effect of a finished call, and the number of events when the call ended. */
interface Trace {
  readonly after: number;
  readonly plan?: string;
  readonly skill?: string;
}

/** Lasting effects of calls: the approved plan and the activated skills. A rewind removes them. */
export class CallTraces {
  private kept: readonly Trace[] = [];
  /** The effects that the last rewind removed, as long as it can be undone. */
  private cut: readonly Trace[] = [];

  constructor(private readonly history: Pick<SessionHistory, 'events'>) {}

  get approvedPlan(): string | undefined {
    return this.kept.findLast(({ plan }) => plan !== undefined)?.plan;
  }

  get skills(): readonly string[] {
    return [...new Set(this.kept.flatMap(({ skill }) => skill ?? []))];
  }

  /** Must be called for every record, after the history has received it. */
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

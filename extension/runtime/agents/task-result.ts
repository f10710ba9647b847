import type { SessionJournal } from '../../sessions/session-journal.ts';
import type { SessionRecord } from '../../sessions/session-record.ts';

/** What an agent handed over with complete_task since it was last given a message. */
export class TaskResult {
  private handedOver: { readonly result: unknown } | undefined;

  constructor(journal: Pick<SessionJournal, 'onRecord'>) {
    journal.onRecord((record) => this.take(record));
  }

  get isThere(): boolean {
    return this.handedOver !== undefined;
  }

  get text(): string {
    const result = this.handedOver?.result;
    return typeof result === 'string' ? result : JSON.stringify(result, undefined, 2);
  }

  private take(record: SessionRecord): void {
    if (record.type === 'sent') this.handedOver = undefined;
    if (record.type !== 'tool_finished' || record.call.name !== 'complete_task' || record.state !== 'success') return;
    // The first one counts.
    this.handedOver ??= { result: record.result.data?.['result'] };
  }
}

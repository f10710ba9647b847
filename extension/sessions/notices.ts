import type { Event } from '@google/adk';
import type { RecordOf } from './session-record.ts';

type NoticeRecord = RecordOf<
  | 'command_ended'
  | 'command_lost'
  | 'commented'
  | 'loop'
  | 'sandbox_allowed'
  | 'protected_changed'
  | 'protected_put_back'
>;

/** Something that happened beside the conversation. */
export interface SessionNotice {
  /** That of the event it becomes when the model is told. */
  readonly id: string;
  readonly record: NoticeRecord;
  /** How many events there were when it happened. */
  readonly after: number;
}

const PREFIX = 'notice-';

/** What the model has to be told with its next request. */
export class Notices {
  private readonly waiting = new Map<string, SessionNotice>();

  get all(): readonly SessionNotice[] {
    return [...this.waiting.values()];
  }

  add(record: NoticeRecord, after: number): void {
    const about = 'id' in record ? record.id : record.callId;
    // One card may offer several.
    const id = noticeId(`${record.type}-${about}${record.type === 'sandbox_allowed' ? `-${record.what}` : ''}`);
    this.waiting.set(id, { id, record, after });
  }

  /** What the user said on changes, and the model has not got yet. */
  get comments(): readonly RecordOf<'commented'>[] {
    return this.all.flatMap(({ record }) => (record.type === 'commented' ? [record] : []));
  }

  withdraw(commentId: string): void {
    this.waiting.delete(noticeId(`commented-${commentId}`));
  }

  delivered(id: string): void {
    this.waiting.delete(id);
  }

  /** Those that a rewind to this event takes away. What the user said and nobody has heard stays. */
  takeAfter(event: number): readonly SessionNotice[] {
    const taken = this.all.filter(({ after, record }) => after > event && record.type !== 'commented');
    for (const { id } of taken) this.waiting.delete(id);
    return taken;
  }

  putBack(notices: readonly SessionNotice[]): void {
    for (const notice of notices) this.waiting.set(notice.id, notice);
  }
}

export function noticeId(what: string): string {
  return `${PREFIX}${what}`;
}

/** It has the user's place in the conversation and not their words. */
export function isNotice({ id }: Pick<Event, 'id'>): boolean {
  return id.startsWith(PREFIX);
}

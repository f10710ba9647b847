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

/** Something that happened outside the conversation. */
export interface SessionNotice {
  /** The ID of the event that it becomes when it is delivered. */
  readonly id: string;
  readonly record: NoticeRecord;
  /** How many events there were when it happened. */
  readonly after: number;
}

const PREFIX = 'notice-';

/** Notices for the model's next request. */
export class Notices {
  private readonly waiting = new Map<string, SessionNotice>();

  get all(): readonly SessionNotice[] {
    return [...this.waiting.values()];
  }

  add(record: NoticeRecord, after: number): void {
    const about = 'id' in record ? record.id : record.callId;
    // One card may offer to allow several things.
    const id = noticeId(`${record.type}-${about}${record.type === 'sandbox_allowed' ? `-${record.what}` : ''}`);
    this.waiting.set(id, { id, record, after });
  }

  /** Comments on changes that the model hasn't received yet. */
  get comments(): readonly RecordOf<'commented'>[] {
    return this.all.flatMap(({ record }) => (record.type === 'commented' ? [record] : []));
  }

  withdraw(commentId: string): void {
    this.waiting.delete(noticeId(`commented-${commentId}`));
  }

  delivered(id: string): void {
    this.waiting.delete(id);
  }

  /** The notices that a rewind to this event removes. Comments that weren't delivered stay. */
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

/** It has the user's role in the conversation, but isn't their text. */
export function isNotice({ id }: Pick<Event, 'id'>): boolean {
  return id.startsWith(PREFIX);
}

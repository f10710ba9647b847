import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { NO_LOG, SessionJournal } from '../../../extension/sessions/session-journal.ts';
import { LOG_VERSION, type SessionRecord } from '../../../extension/sessions/session-record.ts';

describe('The journal of a session', () => {
  it('writes the records of a very long session, in order', () => {
    const at = new Date(0).toISOString();
    const header = { type: 'session', version: LOG_VERSION, id: 'copy', workspace: '', at } as const;
    const written: SessionRecord[] = [];
    const log = { ...NO_LOG, append: (...records: SessionRecord[]) => void written.push(...records) };
    const records = Array.from({ length: 300_000 }, (_, ordinal): SessionRecord => {
      return { type: 'tool_started', callId: `${ordinal}`, at };
    });
    new SessionJournal(header, log, { now: () => 0 }).write(records);
    assert.equal(written.length, records.length);
    assert.ok(written.every((record, index) => record === records[index]));
  });
});

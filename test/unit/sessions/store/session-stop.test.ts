import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SessionRecord } from '../../../../extension/sessions/session-record.ts';
import { type SessionStop, StopFinder } from '../../../../extension/sessions/store/session-stop.ts';
import { record, sent } from './records.ts';

const stopOf = (...records: readonly SessionRecord[]): SessionStop | undefined => {
  const finder = new StopFinder();
  for (const each of records) finder.add(each);
  return finder.stop;
};

const started = record({ type: 'run_started' });
const asked = record({ type: 'asked', requestId: 'q', title: 'Run?', message: '', schema: {} });
const answered = record({ type: 'answered', requestId: 'q', action: 'accept', content: {} });
const refused = { kind: 'bad-key', title: 'The API key was refused', detail: '', actions: [] } as const;
const ended = (reason: 'completed' | 'failed' | 'aborted' | 'max_turns'): SessionRecord =>
  record({ type: 'run_ended', reason });

describe('Where a session was left', () => {
  it('is nothing to speak of when it was done, or the user stopped it', () => {
    assert.equal(stopOf(), undefined);
    assert.equal(stopOf(sent('m', 'Hi'), started, ended('completed')), undefined);
    assert.equal(stopOf(sent('m', 'Hi'), started, ended('aborted')), undefined);
  });

  it('is what went wrong', () => {
    const problem = record({ type: 'problem', problem: refused as never, fatal: true });
    assert.deepEqual(stopOf(sent('m', 'Hi'), started, problem, ended('failed')), {
      kind: 'stopped',
      why: 'The API key was refused',
    });
    assert.equal(stopOf(sent('m', 'Hi'), started, ended('failed'))?.why, 'it ended with an error');
    assert.equal(stopOf(sent('m', 'Hi'), started, ended('max_turns'))?.why, 'its turn limit was reached');
  });

  it('is a question that nobody answered, or a run that was cut off', () => {
    assert.equal(stopOf(sent('m', 'Hi'), started, asked)?.kind, 'waits');
    assert.deepEqual(stopOf(sent('m', 'Hi'), started, asked, answered), {
      kind: 'stopped',
      why: 'its window was closed',
    });
  });

  it('is forgotten when the user continues, or goes back', () => {
    const failed = [sent('m', 'Hi'), started, ended('failed')];
    assert.equal(stopOf(...failed, sent('n', 'Again'), started, ended('completed')), undefined);
    const rewind = (what: 'both' | 'files'): SessionRecord => record({ type: 'rewind', id: 'r', messageId: 'm', what });
    assert.equal(stopOf(...failed, rewind('both')), undefined);
    assert.equal(stopOf(...failed, rewind('files'))?.kind, 'stopped');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CallTraces } from '../../../../extension/runtime/knowledge/call-traces.ts';
import type { SessionRecord } from '../../../../extension/sessions/session-record.ts';

const AT = '2026-01-01T00:00:00.000Z';

function finished(data: Readonly<Record<string, unknown>>, state: 'success' | 'error' = 'success'): SessionRecord {
  const call = { id: 'c', name: 'x', args: {} };
  return { type: 'tool_finished', at: AT, call, state, result: { content: '', data }, display: { name: 'x' } };
}

describe('What calls leave behind', () => {
  const REWIND: SessionRecord = { type: 'rewind', at: AT, id: 'r', messageId: 'm', what: 'both' };
  const UNDONE: SessionRecord = { type: 'rewind_undone', at: AT, rewindId: 'r' };

  it('is the last plan that was approved, and the skills that were activated', () => {
    const traces = new CallTraces({ events: [] });
    for (const data of [{ approvedPlan: 'a.md' }, { skill: 's' }, { approvedPlan: 'b.md' }, { skill: 's' }, {}])
      traces.take(finished(data));
    traces.take(finished({ approvedPlan: 'c.md', skill: 't' }, 'error'));
    assert.deepEqual([traces.approvedPlan, traces.skills], ['b.md', ['s']]);
  });

  it('goes with a rewind, and comes back when that is undone', () => {
    const history = { events: new Array(2) };
    const traces = new CallTraces(history);
    traces.take(finished({ skill: 'early' }));
    history.events.length = 6;
    traces.take(finished({ skill: 'late' }));
    history.events.length = 4;
    traces.take(REWIND);
    assert.deepEqual(traces.skills, ['early']);
    history.events.length = 6;
    traces.take(UNDONE);
    assert.deepEqual(traces.skills, ['early', 'late']);
  });
});

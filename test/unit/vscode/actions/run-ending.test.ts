import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Entry } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import { badgeOf, endingOf, isWorthTelling } from '../../../../extension/vscode/actions/run-ending.ts';

describe('The end of a run', () => {
  it('is told after a long one, to those who look elsewhere, unless they do not want it', () => {
    assert.equal(isWorthTelling({ seconds: 30, longRun: 30, focused: false }), true);
    assert.equal(isWorthTelling({ seconds: 29.9, longRun: 30, focused: false }), false);
    assert.equal(isWorthTelling({ seconds: 300, longRun: 30, focused: true }), false);
    assert.equal(isWorthTelling({ seconds: 300, longRun: 0, focused: false }), false);
  });

  it('is reported with how it ended, what it was about and how long it took', () => {
    const answer: Entry = { kind: 'answer', id: '1', text: 'Done.', state: 'done' };
    const usage: Entry = { kind: 'usage', id: '2', inputTokens: 1, outputTokens: 1, seconds: 1 };
    const note: Entry = { kind: 'note', id: '3', icon: 'stop', text: 'Stopped' };
    const problem: Entry = {
      kind: 'problem',
      id: '4',
      problem: { kind: 'quota', title: 'The quota is used up', detail: '', actions: [] },
    };
    const fixTides = { title: 'Gantry has finished', detail: 'Fix the tides (after 42 seconds)' };
    assert.deepEqual(endingOf([answer, usage], 'Fix the tides', 42), fixTides);
    assert.deepEqual(endingOf([note], '', 61), { title: 'Gantry has stopped', detail: 'after a minute' });
    assert.deepEqual(endingOf([problem], '', 150), {
      title: 'Gantry stopped. The quota is used up',
      detail: 'after 3 minutes',
    });
  });

  it('is on the icon of a view that is not visible, behind questions that wait', () => {
    const nothing = { visible: false, waiting: 0, waitingElsewhere: 0, hasNews: false };
    assert.equal(badgeOf({ ...nothing, visible: true, waiting: 2, hasNews: true }), undefined);
    assert.equal(badgeOf(nothing), undefined);
    assert.deepEqual(badgeOf({ ...nothing, hasNews: true }), {
      value: 1,
      tooltip: 'Gantry has answered',
    });
    assert.deepEqual(badgeOf({ ...nothing, waiting: 2, hasNews: true }), {
      value: 2,
      tooltip: '2 approvals are pending',
    });
  });

  it('is on the icon of a visible view only with what other sessions ask', () => {
    assert.deepEqual(badgeOf({ visible: true, waiting: 3, waitingElsewhere: 1, hasNews: false }), {
      value: 1,
      tooltip: 'An approval is pending',
    });
  });
});

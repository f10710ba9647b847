import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { FailureClass } from '../../../../extension/model/calls/failure-class.ts';
import { RetryPlan } from '../../../../extension/model/calls/retry-plan.ts';

/** What is done after each of the same failures, in a row. */
function moves(failure: FailureClass, times: number, { limit = 10, canFallBack = true, random = 0.5 } = {}): string[] {
  const plan = new RetryPlan(() => random);
  return Array.from({ length: times }, () => {
    const move = plan.failed(failure, limit, canFallBack);
    return move.act === 'wait' ? `${Math.round(move.ms)} ${move.attempt}/${move.of}` : move.act;
  });
}

describe('The waits between attempts', () => {
  it('double from five seconds to thirty, ten attempts in all, then another model', () => {
    assert.deepEqual(moves({ kind: 'retryable' }, 10), [
      '5000 2/10',
      '10000 3/10',
      '20000 4/10',
      '30000 5/10',
      '30000 6/10',
      '30000 7/10',
      '30000 8/10',
      '30000 9/10',
      '30000 10/10',
      'fall-back',
    ]);
  });

  it('differ by up to thirty per cent either way', () => {
    assert.deepEqual(moves({ kind: 'server' }, 1, { random: 0 }), ['3500 2/10']);
    assert.deepEqual(moves({ kind: 'server' }, 1, { random: 1 }), ['6500 2/10']);
  });

  it('are never shorter than the service wants them, and up to twenty per cent longer', () => {
    assert.deepEqual(moves({ kind: 'retryable', delayMs: 42_000 }, 2, { random: 0 }), ['42000 2/10', '42000 3/10']);
    assert.deepEqual(moves({ kind: 'retryable', delayMs: 42_000 }, 1, { random: 1 }), ['50400 2/10']);
    assert.deepEqual(moves({ kind: 'retryable', delayMs: 1_000 }, 2, { random: 0 }), ['5000 2/10', '10000 3/10']);
  });

  it('are two short ones when there is no capacity, before another model is asked', () => {
    const failure = { kind: 'terminal', reason: 'capacity' } as const;
    assert.deepEqual(moves(failure, 3, { random: 0 }), ['1000 2/10', '3000 3/10', 'fall-back']);
    assert.deepEqual(moves({ ...failure, delayMs: 8_000 }, 3, { random: 0 }), ['8000 2/10', '8000 3/10', 'fall-back']);
  });

  it('are the usual ones when there is no capacity and no other model', () => {
    const failure = { kind: 'terminal', reason: 'capacity' } as const;
    assert.deepEqual(moves(failure, 3, { canFallBack: false, limit: 3 }), ['5000 2/3', '10000 3/3', 'give-up']);
  });

  it('are none for a quota that is used up, a model that is not there, or what will not get better', () => {
    assert.deepEqual(moves({ kind: 'terminal', reason: 'quota' }, 1), ['fall-back']);
    assert.deepEqual(moves({ kind: 'not-found' }, 1), ['fall-back']);
    assert.deepEqual(moves({ kind: 'other' }, 1), ['give-up']);
    assert.deepEqual(moves({ kind: 'validation' }, 1), ['give-up']);
  });

  it('do not lead to another model when nothing can be reached', () => {
    assert.deepEqual(moves({ kind: 'network' }, 3, { limit: 2 }), ['5000 2/2', 'give-up', 'give-up']);
  });

  it('are one, two and four seconds after an answer that broke off, and end there', () => {
    const failure = { kind: 'stream', invalid: 'no-text' } as const;
    assert.deepEqual(moves(failure, 4), ['1000 2/4', '2000 3/4', '4000 4/4', 'give-up']);
    assert.deepEqual(moves(failure, 2, { limit: 2 }), ['1000 2/2', 'give-up']);
    assert.deepEqual(moves({ ...failure, delayMs: 9_000 }, 1), ['9000 2/4']);
  });

  it('begin anew with another model', () => {
    const plan = new RetryPlan(() => 0.5);
    for (let failures = 0; failures < 10; failures++) plan.failed({ kind: 'retryable' }, 10, true);
    plan.startOver();
    assert.deepEqual(plan.failed({ kind: 'retryable' }, 10, true), { act: 'wait', ms: 5000, attempt: 2, of: 10 });
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DAY_MS, familiesOf, givenUp, withDescendants } from '../../../../extension/sessions/store/retention.ts';
import type { SessionSummary } from '../../../../extension/sessions/store/session-summary.ts';
import { START } from './records.ts';

const session = (id: string, daysOld: number, more: Partial<SessionSummary> = {}): SessionSummary => ({
  id,
  workspace: '/w',
  title: '',
  firstWords: '',
  createdAt: 0,
  updatedAt: START - daysOld * DAY_MS,
  messages: 1,
  pinned: false,
  bytes: 1,
  ...more,
});
const childOf = (sessionId: string): Partial<SessionSummary> => ({ parent: { sessionId, callId: 'c' } });
const go = (sessions: readonly SessionSummary[], maxAgeDays: number, maxCount: number): string[] =>
  givenUp(sessions, { maxAgeDays, maxCount, now: START }).flatMap((family) => family.map(({ id }) => id));

describe('Old sessions', () => {
  const some = [session('a', 200), session('b', 100), session('c', 50), session('d', 10)];

  const cases: readonly [what: string, sessions: SessionSummary[], age: number, count: number, gone: string[]][] = [
    ['stay when nothing limits them', some, 0, 0, []],
    ['go by age', some, 90, 0, ['a', 'b']],
    ['go by number, oldest first', some, 0, 3, ['a']],
    ['go by either', some, 150, 2, ['a', 'b']],
    ['stay for 30 days whatever the age allowed', some, 1, 0, ['a', 'b', 'c']],
    ['stay for 30 days whatever the number allowed', some, 0, 1, ['a', 'b', 'c']],
    ['stay when pinned', [session('p', 300, { pinned: true }), ...some], 90, 0, ['a', 'b']],
    ['count when pinned', [session('p', 300, { pinned: true }), ...some], 0, 4, ['a']],
    ['stay when nobody can tell whether they are pinned', [session('x', 300, { problem: 'newer' })], 90, 0, []],
    ['take those that work for them along', [session('a', 200), session('k', 190, childOf('a'))], 90, 0, ['a', 'k']],
    ['do not count those that work for them', [session('a', 200), session('k', 190, childOf('a'))], 0, 1, []],
    ['stay when one that works for them is new', [session('a', 200), session('k', 5, childOf('a'))], 90, 0, []],
    ['stay with a parent that is new', [session('a', 5), session('k', 200, childOf('a'))], 90, 0, []],
    ['go alone when their parent is gone', [session('k', 200, childOf('gone'))], 90, 0, ['k']],
  ];
  for (const [what, sessions, age, count, gone] of cases) {
    it(what, () => assert.deepEqual(go(sessions, age, count), gone));
  }

  it('are never pinned or of the last 30 days, whatever the rules and relations', () => {
    const any = fc.uniqueArray(
      fc.record({
        id: fc.constantFrom(...'abcdefgh'),
        days: fc.nat(400),
        pinned: fc.boolean(),
        of: fc.option(fc.constantFrom(...'abcdefgh')),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(any, fc.nat(200), fc.nat(6), (list, age, count) => {
        const sessions = list.map(({ id, days, pinned, of }) =>
          session(id, days, { pinned, ...(of ? childOf(of) : {}) }),
        );
        const gone = new Set(go(sessions, age, count));
        assert.ok(
          sessions.every(({ id, pinned, updatedAt }) => !gone.has(id) || (!pinned && START - updatedAt > 30 * DAY_MS)),
        );
        assert.equal(familiesOf(sessions).flat().length, sessions.length);
        if (age === 0 && count === 0) assert.equal(gone.size, 0);
      }),
    );
  });

  it('that work for each other in a circle are one family', () => {
    const circle = [session('a', 1, childOf('b')), session('b', 1, childOf('a'))];
    assert.deepEqual(withDescendants('a', circle), ['a', 'b']);
  });
});

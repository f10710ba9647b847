import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { timeAgo } from '../../../../extension/protocol/words/numbers.ts';
import type { SessionSummary } from '../../../../extension/sessions/store/session-summary.ts';
import {
  arrangeSessions,
  folderName,
  type SessionNews,
  sessionItems,
  sessionTitle,
} from '../../../../extension/vscode/library/session-items.ts';

const HOUR = 3600_000;

function summary(id: string, given: Partial<SessionSummary> = {}): SessionSummary {
  const facts = { title: '', firstWords: `words of ${id}`, createdAt: 0, updatedAt: 0, messages: 1, bytes: 1 };
  return { id, workspace: '/here', pinned: false, ...facts, ...given };
}

const NOTHING_NEW: SessionNews = {
  current: undefined,
  activityOf: () => undefined,
  isHeld: () => false,
  lastSeen: () => undefined,
};

describe('The list of sessions', () => {
  it('says what a session is at: what the user has to do comes first', () => {
    const stopped = { kind: 'stopped', why: 'The API key was refused' } as const;
    const waits = { kind: 'waits', why: 'an approval is pending' } as const;
    const CASES: readonly [Partial<SessionSummary>, Partial<SessionNews>, string | undefined][] = [
      [{}, {}, undefined],
      [{ stop: stopped }, {}, 'stopped'],
      [{ stop: waits }, {}, 'needsYou'],
      [{ stop: waits }, { isHeld: () => true }, 'otherWindow'],
      [{ stop: stopped }, { activityOf: () => 'running' }, 'running'],
      [{ stop: waits }, { activityOf: () => 'waits' }, 'needsYou'],
      [{ stop: stopped }, { activityOf: () => 'commands' }, 'commandRuns'],
      [{ updatedAt: 5 }, { activityOf: () => 'commands', lastSeen: () => 4 }, 'newAnswer'],
      [{ updatedAt: 5 }, { lastSeen: () => 4 }, 'newAnswer'],
      [{ updatedAt: 5 }, { lastSeen: () => 5 }, undefined],
      [{ updatedAt: 5 }, { lastSeen: () => 4, current: 'a' }, undefined],
    ];
    for (const [given, news, expected] of CASES) {
      const [item] = sessionItems({ here: [summary('a', given)], elsewhere: [] }, { ...NOTHING_NEW, ...news });
      assert.equal(item?.tag, expected, JSON.stringify([given, Object.keys(news)]));
      assert.equal(item?.why, expected === 'stopped' ? stopped.why : undefined);
    }
  });

  it('names the session that one is a copy of, as long as that is there', () => {
    const sessions = [summary('a', { title: 'Streams' }), summary('b', { copyOf: 'a' }), summary('c', { copyOf: 'x' })];
    const items = sessionItems(arrangeSessions(sessions, ['/here']), NOTHING_NEW);
    assert.deepEqual(
      items.map(({ forkOf }) => forkOf),
      [undefined, 'Streams', undefined],
    );
  });

  it('has those of this folder first, and pinned ones before others', () => {
    const sessions = [
      summary('new elsewhere', { workspace: '/work/there' }),
      summary('new'),
      summary('old'),
      summary('pinned', { pinned: true }),
    ];
    const items = sessionItems(arrangeSessions(sessions, ['/here']), { ...NOTHING_NEW, current: 'old' });
    assert.deepEqual(
      items.map(({ id, elsewhere, current }) => [id, elsewhere, current]),
      [
        ['pinned', undefined, false],
        ['new', undefined, false],
        ['old', undefined, true],
        ['new elsewhere', 'there', false],
      ],
    );
  });

  it('counts sessions without a folder as those of a window without one', () => {
    const sessions = [summary('loose', { workspace: '' }), summary('other')];
    assert.deepEqual(
      arrangeSessions(sessions, []).here.map(({ id }) => id),
      ['loose'],
    );
    assert.deepEqual(
      arrangeSessions(sessions, ['/here']).elsewhere.map(({ id }) => id),
      ['loose'],
    );
  });

  it('names a session by its title, else its first words, else what is known', () => {
    assert.equal(sessionTitle(summary('a', { title: 'Given' })), 'Given');
    assert.equal(sessionTitle(summary('a')), 'words of a');
    assert.equal(sessionTitle(summary('a', { firstWords: '' })), 'Untitled session');
    assert.equal(sessionTitle(summary('a', { firstWords: '', problem: 'newer' })), 'Unreadable session');
  });

  it('names folders of any system', () => {
    assert.deepEqual(['/work/app/', 'C:\\work\\app', ''].map(folderName), ['app', 'app', 'no folder']);
  });

  it('tells how long ago it was', () => {
    const now = 1_000 * 24 * HOUR;
    const passed = [10_000, 5 * 60_000, HOUR, 24 * HOUR, 9 * 24 * HOUR, 70 * 24 * HOUR, 800 * 24 * HOUR];
    assert.deepEqual(
      passed.map((time) => timeAgo(now - time, now)),
      ['just now', '5 minutes ago', '1 hour ago', 'yesterday', 'last week', '2 months ago', '2 years ago'],
    );
    assert.equal(timeAgo(now + HOUR, now), 'just now');
  });
});

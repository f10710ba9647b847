import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SessionItem } from '../../../extension/protocol/panel/sheets-to-panel.ts';
import {
  detailsOf,
  grouped,
  listed,
  moved,
  type SessionRow,
  sessionPlace,
  signOf,
} from '../../../webview/sessions/session-list.ts';

const NOW = Date.UTC(2026, 10, 15, 12);
const session = (id: string, more: Partial<SessionItem> = {}): SessionItem => ({
  id,
  title: id,
  updatedAt: NOW - 2 * 3_600_000,
  messages: 6,
  pinned: false,
  current: false,
  ...more,
});
const ids = (sessions: readonly SessionRow[]): string[] => sessions.map(({ item }) => item.id);
const three = [session('a'), session('b'), session('c')];

describe('The list of sessions', () => {
  it('says when a session was used, where, and how long it is', () => {
    assert.equal(detailsOf(session('a'), NOW), '2 h ago · 6 turns');
    assert.equal(detailsOf(session('a', { elsewhere: 'ferry-api', messages: 1 }), NOW), '2 h ago · ferry-api · 1 turn');
    assert.equal(detailsOf(session('a', { current: true, updatedAt: NOW }), NOW), 'open here · now · 6 turns');
    assert.equal(detailsOf(session('a', { tag: 'otherWindow' }), NOW), '2 h ago · 6 turns · opens read-only');
    assert.equal(detailsOf(session('a', { forkOf: 'Streams' }), NOW), '2 h ago · fork of Streams');
    assert.equal(detailsOf(session('a', { tag: 'stopped', why: 'key refused' }), NOW), '2 h ago · key refused');
    assert.equal(detailsOf(session('a', { problem: 'It is damaged.' }), NOW), 'It is damaged.');
  });

  it('has pinned ones, those of today and earlier ones, and one list of what is searched for', () => {
    const sessions = [
      session('old', { updatedAt: NOW - 30 * 3_600_000 }),
      session('new'),
      session('kept', { pinned: true, updatedAt: 1 }),
    ];
    const titles = (filter: string): unknown =>
      grouped(listed(sessions, 'all', filter), filter, NOW).map((group) => [
        group.title,
        group.sessions.map(({ item }) => item.id),
      ]);
    assert.deepEqual(titles(''), [
      ['Pinned', ['kept']],
      ['Today', ['new']],
      ['Earlier', ['old']],
    ]);
    assert.deepEqual(titles('e'), [['', ['new', 'kept']]]);
  });

  it('has those of this folder, or all', () => {
    const list = [session('a'), session('b', { elsewhere: 'ferry-api' })];
    assert.deepEqual(ids(listed(list, 'here', '')), ['a']);
    assert.deepEqual(ids(listed(list, 'all', '')), ['a', 'b']);
  });

  it('shows by a sign what a session is', () => {
    assert.equal(signOf(session('a')), 'comment-discussion');
    assert.equal(signOf(session('a', { pinned: true, tag: 'needsYou' })), 'pinned');
    assert.equal(signOf(session('a', { pinned: true, tag: 'running' })), 'session-in-progress');
    assert.equal(signOf(session('a', { forkOf: 'b' })), 'repo-forked');
    assert.equal(signOf(session('a', { problem: 'damaged', forkOf: 'b' })), 'warning');
  });

  it('finds sessions by words of their title and folder', () => {
    const list = [session('Flaky retry test'), session('Retry', { elsewhere: 'ferry-api' })];
    assert.deepEqual(ids(listed(list, 'all', ' RETRY test')), ['Flaky retry test']);
    assert.deepEqual(ids(listed(list, 'all', 'ferry')), ['Retry']);
    assert.deepEqual(ids(listed(list, 'all', ' ')), ['Flaky retry test', 'Retry']);
    assert.deepEqual(ids(listed(list, 'all', 'nothing')), []);
    const hit = { id: 'Retry', before: '… the ', match: 'jitter', after: ' is' };
    assert.deepEqual(listed(list, 'all', 'jitter', [hit]), [{ item: list[1], hit }]);
  });

  it('goes round at its ends, and not past them by pages', () => {
    const CASES: readonly [string, number, number | undefined][] = [
      ['ArrowDown', 0, 1],
      ['ArrowDown', 2, 0],
      ['ArrowUp', 0, 2],
      ['Home', 2, 0],
      ['End', 0, 2],
      ['PageDown', 1, 2],
      ['PageUp', 1, 0],
      ['a', 1, undefined],
    ];
    for (const [key, at, expected] of CASES) assert.equal(moved(key, at, three.length), expected, `${key} at ${at}`);
    assert.equal(moved('ArrowDown', 0, 0), undefined);
  });

  it('stays at the place of a session that was deleted', () => {
    assert.equal(sessionPlace(three, 'c', 0), 2);
    assert.equal(sessionPlace(three, 'gone', 1), 1);
    assert.equal(sessionPlace(three.slice(0, 1), 'gone', 2), 0);
    assert.equal(sessionPlace([], undefined, 3), 0);
  });
});

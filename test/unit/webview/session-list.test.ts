import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SessionItem } from '../../../extension/protocol/panel-messages.ts';
import { detailsOf, matching, moved, placeOf } from '../../../webview/sessions/session-list.ts';

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
const three = [session('a'), session('b'), session('c')];

describe('The list of sessions', () => {
  it('says when a session was used, where, and how long it is', () => {
    assert.equal(detailsOf(session('a'), NOW), '2 h ago · 6 messages');
    assert.equal(
      detailsOf(session('a', { elsewhere: 'ferry-api', messages: 1 }), NOW),
      '2 h ago · ferry-api · 1 message',
    );
    assert.equal(detailsOf(session('a', { current: true, updatedAt: NOW }), NOW), 'Open here · now · 6 messages');
  });

  it('finds sessions by words of their title and folder', () => {
    const list = [session('Flaky retry test'), session('Retry', { elsewhere: 'ferry-api' })];
    assert.deepEqual(matching(list, ' RETRY test'), [list[0]]);
    assert.deepEqual(matching(list, 'ferry'), [list[1]]);
    assert.deepEqual(matching(list, ' '), list);
    assert.deepEqual(matching(list, 'nothing'), []);
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
    assert.equal(placeOf(three, 'c', 0), 2);
    assert.equal(placeOf(three, 'gone', 1), 1);
    assert.equal(placeOf(three.slice(0, 1), 'gone', 2), 0);
    assert.equal(placeOf([], undefined, 3), 0);
  });
});

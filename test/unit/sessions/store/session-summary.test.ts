import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { SessionRecord } from '../../../../extension/sessions/session-record.ts';
import { type SessionSummary, summarise } from '../../../../extension/sessions/store/session-summary.ts';
import { at, event, header, record, START, sent } from './records.ts';

const facts = { id: 'one', bytes: 100, createdAt: 5, updatedAt: 7 };
const of = (...records: readonly SessionRecord[]): SessionSummary => summarise(facts, header('one'), records);
const rewind = (id: string, messageId: string, what: 'conversation' | 'files' | 'both' = 'both'): SessionRecord =>
  record({ type: 'rewind', id, messageId, what });
const undone = (rewindId: string): SessionRecord => record({ type: 'rewind_undone', rewindId });
const title = (text: string, by: 'user' | 'model'): SessionRecord => record({ type: 'title', title: text, by });
const pending = (id: string, text: string): SessionRecord =>
  record({ type: 'pending', id, delivery: 'queue', parts: [{ text }], shown: [{ type: 'text', text }] });
const pinned = (value: boolean): SessionRecord => record({ type: 'pinned', pinned: value });

describe('The summary of a session', () => {
  it('of one that has only begun', () => {
    assert.deepEqual(of(), {
      id: 'one',
      workspace: '/work/project',
      title: '',
      firstWords: '',
      createdAt: START,
      updatedAt: START,
      messages: 0,
      pinned: false,
      bytes: 100,
    });
  });

  it('has the time of the last record', () => {
    assert.equal(of(sent('m1', 'a', 3), sent('m2', 'b', 8)).updatedAt, Date.parse(at(8)));
  });

  it('has the time of the file when the log has none', () => {
    const { createdAt, updatedAt } = summarise(facts, header('one', { at: 'yesterday' }), []);
    assert.deepEqual({ createdAt, updatedAt }, { createdAt: 5, updatedAt: 7 });
  });

  it('of a copy is no older than the copy', () => {
    const copy = header('two', { at: at(60), origin: { kind: 'copy', of: 'one' } });
    assert.equal(summarise(facts, copy, [sent('m1', 'a', 1)]).updatedAt, Date.parse(at(60)));
  });

  it('names the call it works for', () => {
    const parent = { sessionId: 'zero', callId: 'c1' };
    assert.deepEqual(summarise(facts, header('one', { parent }), []).parent, parent);
  });

  const titles: readonly [what: string, records: SessionRecord[], title: string][] = [
    ['none', [], ''],
    ["the model's", [title('A', 'model')], 'A'],
    ["the model's last", [title('A', 'model'), title('B', 'model')], 'B'],
    ["the user's before a later one of the model", [title('Mine', 'user'), title('B', 'model')], 'Mine'],
    [
      "the model's again when the user's was cleared",
      [title('A', 'model'), title('M', 'user'), title('', 'user')],
      'A',
    ],
  ];
  for (const [what, records, expected] of titles) {
    it(`has as title ${what}`, () => assert.equal(of(...records).title, expected));
  }

  it('says whether it is pinned now', () => {
    assert.equal(of(pinned(true)).pinned, true);
    assert.equal(of(pinned(true), pinned(false)).pinned, false);
  });

  const words: readonly [what: string, record: SessionRecord, words: string][] = [
    ['the first line', sent('m', 'Fix the test\nplease'), 'Fix the test'],
    ['the first line that says something', sent('m', '\n\r\n  Fix it\r\nplease'), 'Fix it'],
    ['80 letters of a long line', sent('m', 'x'.repeat(1000)), 'x'.repeat(80)],
    ['80 whole letters', sent('m', '🎉'.repeat(100)), '🎉'.repeat(80)],
    ['what was shown', { ...sent('m', 'expanded'), shown: [{ type: 'text', text: '/fix' }] }, '/fix'],
    [
      'no media',
      {
        ...sent('m', ''),
        shown: [
          { type: 'media', uri: 'x' },
          { type: 'text', text: 'Look' },
        ],
      },
      'Look',
    ],
  ];
  for (const [what, first, expected] of words) {
    it(`begins with ${what}`, () => assert.equal(of(first, sent('m2', 'Second')).firstWords, expected));
  }

  it('is made although a message has parts nobody would send', () => {
    const odd = sent('m', 'a');
    Object.assign(odd, { shown: [{ type: 'text', text: 7 }] });
    assert.deepEqual([of(odd).firstWords, of(odd).messages], ['', 1]);
  });

  const talk = [sent('m1', 'one'), event('e1', 'answer'), sent('m2', 'two'), sent('m3', 'three')];
  const counted: readonly [what: string, records: SessionRecord[], messages: number][] = [
    ['each message of the user', talk, 3],
    ['no answer and no run without a message', [...talk, record({ type: 'sent', streamId: 's' })], 3],
    ['a message that was sent twice once', [...talk, sent('m3', 'three')], 3],
    ['a waiting message not yet', [...talk, pending('p', 'more')], 3],
    ['a waiting message that was delivered during a run', [...talk, pending('p', 'more'), event('p', 'more')], 4],
    ['a waiting message that was delivered as the next', [...talk, pending('p', 'more'), sent('p', 'more')], 4],
    ['no message that was rewound', [...talk, rewind('r', 'm2')], 1],
    ['no message that was rewound in the conversation alone', [...talk, rewind('r', 'm2', 'conversation')], 1],
    ['messages whose files alone were rewound', [...talk, rewind('r', 'm2', 'files')], 3],
    ['messages after a rewind', [...talk, rewind('r', 'm2'), sent('m4', 'four')], 2],
    ['messages brought back', [...talk, rewind('r', 'm2'), undone('r')], 3],
    ['only what no other rewind took', [...talk, rewind('r', 'm3'), rewind('q', 'm2'), undone('r')], 1],
    ['all when every rewind is undone', [...talk, rewind('r', 'm3'), rewind('q', 'm2'), undone('q'), undone('r')], 3],
    ['all when the rewind names no message', [...talk, rewind('r', 'nobody')], 3],
  ];
  for (const [what, records, expected] of counted) {
    it(`counts ${what}`, () => assert.equal(of(...records).messages, expected));
  }

  it('begins with the first message that was not rewound', () => {
    assert.equal(of(...talk, rewind('r', 'm1'), sent('m4', 'four')).firstWords, 'four');
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Entry } from '../../../extension/protocol/transcript-entry.ts';
import { openEntries } from '../../../webview/state/open-entries.ts';
import { countOfUserText, Transcript } from '../../../webview/state/transcript.ts';

const user = (id: string, text = id): Entry => ({ kind: 'user', id, text, messageId: id });
const steering = (id: string): Entry => ({ kind: 'user', id, text: id, messageId: id, pending: 'steer' });
const asking = (id: string, requestId = 'r'): Entry => ({
  ...tool(id),
  approval: { requestId, title: 'Allow?', message: '', decisions: ['once'] },
});
const answer = (id: string, text: string, state: 'streaming' | 'done' = 'streaming'): Entry => ({
  kind: 'answer',
  id,
  text,
  state,
});
const tool = (id: string): Extract<Entry, { kind: 'tool' }> => ({
  kind: 'tool',
  id,
  name: 'write_file',
  subject: '',
  summary: '',
  status: 'running',
  detail: '',
});
const note = (id: string, canContinue?: boolean): Entry => ({
  kind: 'note',
  id,
  icon: 'stop',
  text: 'Stopped',
  ...(canContinue && { canContinue }),
});
const usage = (id: string): Entry => ({ kind: 'usage', id, inputTokens: 1, outputTokens: 1, seconds: 1 });
const problem = (id: string, kind = 'server'): Entry => ({
  kind: 'problem',
  id,
  problem: { kind, title: 'It broke', detail: 'Your message is kept.', actions: ['retry'] },
});

describe('The conversation in the panel', () => {
  it('grows by entries and by text', () => {
    const transcript = new Transcript();
    transcript.reset([user('u')]);
    const before = transcript.cells;
    const { reshaped } = transcript.apply([
      { op: 'put', entry: answer('a', 'Hel') },
      { op: 'append', id: 'a', text: 'lo' },
    ]);
    assert.equal(reshaped, true);
    assert.notEqual(transcript.cells, before);
    assert.deepEqual(transcript.entries, [user('u'), answer('a', 'Hello')]);
  });

  it('keeps the same list when only text was added, and tells only the entry that grew', () => {
    const transcript = new Transcript();
    transcript.reset([answer('a', ''), answer('b', '')]);
    const before = transcript.cells;
    const heard: string[] = [];
    for (const cell of before) {
      cell.subscribe((change) => heard.push(`${cell.entry.id} ${change.op === 'append' ? change.text : change.op}`));
    }
    transcript.apply([{ op: 'append', id: 'b', text: 'x' }]);
    assert.equal(transcript.cells, before);
    assert.deepEqual(heard, ['b x']);
  });

  it('puts a known entry where it was', () => {
    const transcript = new Transcript();
    transcript.reset([answer('a', 'x'), user('u')]);
    transcript.apply([{ op: 'put', entry: answer('a', 'y', 'done') }]);
    assert.deepEqual(transcript.entries, [answer('a', 'y', 'done'), user('u')]);
  });

  it('leaves text for an unknown entry aside', () => {
    const transcript = new Transcript();
    const { reshaped, spoken } = transcript.apply([{ op: 'append', id: 'gone', text: 'x' }]);
    assert.deepEqual([reshaped, spoken], [false, []]);
  });

  it('says once that an answer is finished', () => {
    const transcript = new Transcript();
    const done = answer('a', 'x', 'done');
    transcript.apply([{ op: 'put', entry: answer('a', 'x') }]);
    assert.deepEqual(transcript.apply([{ op: 'put', entry: done }]).spoken, [done]);
    assert.deepEqual(transcript.apply([{ op: 'put', entry: done }]).spoken, []);
  });

  it('loses what a rewind takes away, and gets it back', () => {
    const transcript = new Transcript();
    transcript.reset([user('u'), user('v'), answer('a', 'x', 'done')]);
    assert.equal(transcript.apply([{ op: 'remove', ids: ['v', 'a', 'never'] }]).rewind, 'made');
    assert.deepEqual(transcript.entries, [user('u')]);
    const { rewind, spoken, reshaped } = transcript.apply([
      { op: 'put', entry: user('v') },
      { op: 'put', entry: answer('a', 'x', 'done') },
    ]);
    assert.deepEqual([rewind, spoken, reshaped], ['undone', [], true]);
    assert.equal(transcript.entries.length, 3);
  });

  it('moves a waiting message to where it was delivered', () => {
    const transcript = new Transcript();
    transcript.reset([steering('s'), tool('t')]);
    const { rewind, arrived } = transcript.apply([
      { op: 'remove', ids: ['s'] },
      { op: 'put', entry: user('s') },
    ]);
    assert.deepEqual(transcript.entries, [tool('t'), user('s')]);
    assert.deepEqual([rewind, arrived], [undefined, []]);
  });

  it('does not take a withdrawn message for a rewind', () => {
    const transcript = new Transcript();
    transcript.reset([user('u'), steering('s')]);
    assert.equal(transcript.apply([{ op: 'remove', ids: ['s'] }]).rewind, undefined);
    assert.deepEqual(transcript.entries, [user('u')]);
  });

  it('waits while a tool asks, however that ends', () => {
    const transcript = new Transcript();
    const put = (entry: Entry): boolean => transcript.apply([{ op: 'put', entry }]).reshaped;
    put(tool('t'));
    assert.equal(transcript.waiting, false);
    assert.equal(put(asking('t')), true);
    assert.equal(transcript.waiting, true);
    assert.equal(put(tool('t')), true);
    assert.equal(transcript.waiting, false);
    put(asking('t', 'again'));
    transcript.apply([{ op: 'remove', ids: ['t'] }]);
    assert.equal(transcript.waiting, false);
    transcript.reset([asking('t')]);
    assert.equal(transcript.waiting, true);
    transcript.reset([]);
    assert.equal(transcript.waiting, false);
  });

  it('tells each question once', () => {
    const transcript = new Transcript();
    const spoken = (entry: Entry): number => transcript.apply([{ op: 'put', entry }]).spoken.length;
    assert.deepEqual([asking('t'), asking('t'), tool('t'), asking('t', 'again')].map(spoken), [1, 0, 0, 1]);
    const over = { ...tool('t'), unanswered: { requestId: 'again', minutes: 5 } } as Entry;
    assert.deepEqual([over, over].map(spoken), [1, 0]);
  });

  it('counts messages with the same words', () => {
    assert.equal(countOfUserText([user('1', 'go on'), answer('2', 'go on'), user('3', 'go on')], 'go on'), 2);
  });
});

describe('The buttons at the end of the conversation', () => {
  const CASES: readonly [string, Entry[], string[]][] = [
    ['of a problem work while it is the last thing that happened', [user('u'), problem('p')], ['p']],
    ['of a problem work when only notes and usage follow', [problem('p'), note('n'), usage('s')], ['p']],
    ['of a problem go when the user writes on', [problem('p'), user('u')], []],
    ['of a problem go when a retry brings an answer', [problem('p'), answer('a', '')], []],
    ['belong to the newest problem', [problem('p'), problem('q')], ['q']],
    ['of a failure stay when a warning follows', [problem('p'), problem('w', 'not-saved')], ['w', 'p']],
    ['belong to the newest warning of a kind', [problem('w', 'not-saved'), problem('x', 'not-saved')], ['x']],
    ['continue from a note', [user('u'), note('n', true), usage('s')], ['n']],
    ['continue after a warning too', [note('n', true), problem('w', 'not-saved')], ['w', 'n']],
    ['do not continue from where nothing can', [user('u'), note('n')], []],
    ['do not continue from an older note', [note('n', true), note('m')], []],
    ['do not continue when the user has written on', [note('n', true), user('u')], []],
  ];
  for (const [name, entries, expected] of CASES) {
    it(name, () => assert.deepEqual([...openEntries(entries)], expected));
  }
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Entry } from '../../../extension/protocol/transcript-entry.ts';
import { countOfUserText, openProblem, Transcript } from '../../../webview/state/transcript.ts';

const user = (id: string, text = id): Entry => ({ kind: 'user', id, text });
const answer = (id: string, text: string, state: 'streaming' | 'done' = 'streaming'): Entry => ({
  kind: 'answer',
  id,
  text,
  state,
});
const note = (id: string): Entry => ({ kind: 'note', id, icon: 'stop', text: 'Stopped' });
const usage = (id: string): Entry => ({ kind: 'usage', id, inputTokens: 1, outputTokens: 1, seconds: 1 });
const problem = (id: string): Entry => ({
  kind: 'problem',
  id,
  problem: { kind: 'server', title: 'It broke', detail: 'Your message is kept.', actions: ['retry'] },
});

describe('The conversation in the panel', () => {
  it('grows by entries and by text', () => {
    const transcript = new Transcript();
    transcript.reset([user('u')]);
    const before = transcript.cells;
    const { grown } = transcript.apply([
      { op: 'put', entry: answer('a', 'Hel') },
      { op: 'append', id: 'a', text: 'lo' },
    ]);
    assert.equal(grown, true);
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
    assert.deepEqual(transcript.apply([{ op: 'append', id: 'gone', text: 'x' }]), { grown: false, finished: [] });
  });

  it('says once that an answer is finished', () => {
    const transcript = new Transcript();
    const done = answer('a', 'x', 'done');
    transcript.apply([{ op: 'put', entry: answer('a', 'x') }]);
    assert.deepEqual(transcript.apply([{ op: 'put', entry: done }]).finished, [done]);
    assert.deepEqual(transcript.apply([{ op: 'put', entry: done }]).finished, []);
  });

  it('counts messages with the same words', () => {
    assert.equal(countOfUserText([user('1', 'go on'), answer('2', 'go on'), user('3', 'go on')], 'go on'), 2);
  });
});

describe('The buttons of a problem', () => {
  const CASES: readonly [string, Entry[], string | undefined][] = [
    ['work while it is the last thing that happened', [user('u'), problem('p')], 'p'],
    ['work when only notes and usage follow', [problem('p'), note('n'), usage('s')], 'p'],
    ['go when the user writes on', [problem('p'), user('u')], undefined],
    ['go when a retry brings an answer', [problem('p'), answer('a', '')], undefined],
    ['belong to the newest problem', [problem('p'), problem('q')], 'q'],
  ];
  for (const [name, entries, expected] of CASES) it(name, () => assert.equal(openProblem(entries), expected));
});

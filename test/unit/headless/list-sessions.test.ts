import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ListedSession, printed } from '../../../extension/headless/list-sessions.ts';

const session: ListedSession = {
  id: 'abc',
  title: '',
  firstWords: 'What is\u001b]0;evil\u0007\nthis?',
  createdAt: '2026-01-01T10:00:00.000Z',
  updatedAt: '2026-01-01T11:00:00.000Z',
  messages: 1,
};

describe('headless list of sessions', () => {
  it('shows first words where there is no title, without what a terminal would obey', () => {
    const [line] = printed([session], 'text').split('\n');
    assert.match(line ?? '', /^abc {2}2026-01-01 \d\d:\d\d {2}1 message {4}What is\]0;evil this\?$/);
  });

  it('shows the title', () => {
    assert.match(printed([{ ...session, title: 'Tides', messages: 12 }], 'text'), / {2}12 messages +Tides\n$/);
  });

  it('is an array as json and one object per line as stream-json, with everything in it', () => {
    assert.deepEqual(JSON.parse(printed([session], 'json')), [session]);
    assert.equal(printed([session, session], 'stream-json'), `${JSON.stringify(session)}\n`.repeat(2));
  });

  it('is empty when there is none', () => {
    assert.deepEqual([printed([], 'text'), printed([], 'json')], ['', '[]\n']);
  });
});

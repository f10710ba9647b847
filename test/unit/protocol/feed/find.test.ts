import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Finder, textToFind } from '../../../../extension/protocol/feed/find.ts';
import type { Entry } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import { answered, said, tool } from '../../../support/panel/entries.ts';

const listOf = (entries: readonly Entry[]) => ({
  length: entries.length,
  at: (index: number) => entries[index],
  indexOf: (id: string) => entries.findIndex((entry) => entry.id === id),
});

describe('Words in the conversation', () => {
  const finder = new Finder(
    listOf([
      said('tide', { id: 'a' }),
      said('nothing', { id: 'b' }),
      answered('Tide after tide', { id: 'c' }),
      said('TIDE', { id: 'd' }),
    ]),
  );
  const go = (how: 'here' | 'next' | 'previous', id?: string, nth = 0): number | undefined =>
    finder.find({ query: 'tide', go: how, ...(id !== undefined && { from: { id, nth } }) }).current?.n;

  it('are counted, and found from the reader’s place on', () => {
    assert.deepEqual(finder.find({ query: 'Tide', go: 'here' }), {
      total: 4,
      current: { n: 1, id: 'a', index: 0, nth: 1 },
    });
    assert.deepEqual([go('here', 'b'), go('here', 'c'), go('here', 'c', 2)], [2, 2, 3]);
  });

  it('are gone through in both directions, and round', () => {
    assert.deepEqual([go('next', 'a', 1), go('next', 'c', 1), go('next', 'c', 2), go('next', 'd', 1)], [2, 3, 4, 1]);
    assert.deepEqual([go('previous', 'a', 1), go('previous', 'c', 1), go('previous', 'b')], [4, 1, 1]);
  });

  it('continue from a match that is gone, or an entry that is', () => {
    assert.deepEqual([go('here', 'c', 9), go('next', 'gone', 3)], [3, 1]);
  });

  it('may not be there', () => {
    assert.deepEqual(finder.find({ query: 'ebb', go: 'next' }), { total: 0 });
    assert.deepEqual(finder.find({ query: '', go: 'here' }), { total: 0 });
  });

  it('are those of the drawn answer, and of code every sign', () => {
    const text =
      '# The **tide**\n\n- see [the table](src/a.ts) and `snake_case` or _this_ one\n\n```ts\nconst _a = **b;\n```\n';
    const words = textToFind(answered(text));
    for (const seen of ['The tide', 'see the table and snake_case or this one', 'const _a = **b;']) {
      assert.ok(words.includes(seen), `${seen}: ${words}`);
    }
    assert.ok(!words.includes('src/a.ts'));
    assert.ok(textToFind(tool('x', { subject: 'ls', detail: 'a.ts' })).includes('a.ts'));
  });

  it('are those of the card of a subagent too', () => {
    const step = { id: 's', name: 'glob', subject: '*.ts', summary: '3 files', status: 'success' as const };
    const work = { threadId: 't', name: 'scout', turns: 1, tokens: 1, earlier: 0, thoughts: '', waits: false };
    const words = textToFind(tool('invoke_agent', { agent: { ...work, steps: [step], words: 'Found it.' } }));
    for (const seen of ['*.ts', '3 files', 'Found it.']) assert.ok(words.includes(seen), `${seen}: ${words}`);
  });
});

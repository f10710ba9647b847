import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { contextLines, percentUsed, spentLines, usedWords } from '../../../webview/context/context-words.ts';

const USE = { used: 412_000, window: 1_048_576, masked: 0, leftOut: 0 };

describe('The words of the context meter', () => {
  it('say how much is used and free, and warn before it is full', () => {
    assert.equal(percentUsed(USE), 39);
    assert.equal(usedWords(USE), '412k of 1M tokens');
    assert.equal(usedWords({ ...USE, used: 800_000 }), '800k of 1M tokens, nearly full');
    assert.deepEqual(contextLines(USE), [
      ['Used', '412k'],
      ['Free', '637k'],
    ]);
  });

  it('name what is sent in another form only where something is', () => {
    assert.deepEqual(contextLines({ ...USE, masked: 3, leftOut: 2 }).slice(2), [
      ['Old tool outputs kept in files', '3'],
      ['Old images and documents not sent', '2'],
    ]);
  });

  it('say what the session has used, with its cost where prices are known', () => {
    assert.deepEqual(spentLines({ input: 0, output: 0 }), []);
    assert.deepEqual(spentLines({ input: 1_900_000, output: 48_000 }), [['This session', '1.9M in, 48k out']]);
    const costs = [2.306, 0.004, 0].map((cost) => spentLines({ input: 1, output: 1, cost })[1]?.[1]);
    assert.deepEqual(costs, ['$2.31', 'under $0.01', '$0.00']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isOnFirstLine, isOnLastLine, newer, older } from '../../../webview/composer/recall.ts';
import { replaced, tokenAt } from '../../../webview/state/suggesting.ts';

/** `|` is the caret. */
function token(marked: string): string {
  const caret = marked.indexOf('|');
  const found = tokenAt(marked.replace('|', ''), caret);
  return found ? `${found.about} ${found.query} ${found.start}-${found.end}` : 'none';
}

describe('What is being typed', () => {
  const cases: readonly [string, string][] = [
    ['@|', 'mention  0-1'],
    ['Why does @ret|', 'mention ret 9-13'],
    ['(@src/a|', 'mention src/a 1-7'],
    ['one\n@b|', 'mention b 4-6'],
    ['@re|try.ts', 'mention re 0-3'],
    ['me@home|', 'none'],
    ['@a b|', 'none'],
    ['@@|', 'none'],
    ['/|', 'command / 0-1'],
    ['/re|', 'command /re 0-3'],
    ['/re|wind', 'command /re 0-7'],
    ['/model gem|', 'command /model gem 0-10'],
    ['/usr/bin|', 'none'],
    ['/plan one\ntwo|', 'none'],
    ['/plan look at @a|', 'command /plan look at @a 0-16'],
    [' /re|', 'none'],
    ['!npm i @scope|', 'none'],
    ['text|', 'none'],
  ];
  for (const [marked, expected] of cases) {
    it(`is ${expected === 'none' ? 'nothing' : `a ${expected}`} for ${JSON.stringify(marked)}`, () => {
      assert.equal(token(marked), expected);
    });
  }

  it('is replaced by what is taken, without a second space', () => {
    assert.deepEqual(replaced('See @re now', { start: 4, end: 7 }, '@retry.ts '), {
      text: 'See @retry.ts now',
      caret: 14,
    });
    assert.deepEqual(replaced('See @re', { start: 4, end: 7 }, '@retry.ts '), { text: 'See @retry.ts ', caret: 14 });
  });
});

describe('What was sent before', () => {
  const history = ['one', 'two'];

  it('comes back the newest first, and what was being written after that', () => {
    const first = older(history, undefined, 'mine');
    assert.deepEqual(first, { place: { at: 1, own: 'mine' }, text: 'two' });
    const second = older(history, first?.place, 'two');
    assert.equal(second?.text, 'one');
    assert.equal(older(history, second?.place, 'one'), undefined);
    const forward = newer(history, second?.place);
    assert.equal(forward?.text, 'two');
    assert.deepEqual(newer(history, forward?.place), { place: undefined, text: 'mine' });
    assert.equal(newer(history, undefined), undefined);
  });

  it('is asked for only at the edges of the text', () => {
    assert.ok(isOnFirstLine('a\nb', 1));
    assert.ok(!isOnFirstLine('a\nb', 2));
    assert.ok(isOnLastLine('a\nb', 2));
    assert.ok(!isOnLastLine('a\nb', 1));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tokensToHtml } from '../../../webview/markdown/html.ts';
import { lexed } from '../../../webview/markdown/lexed.ts';
import { processorTime } from '../../support/processor-time.ts';

/** The formulas of an answer, with how they stand. */
function formulas(markdown: string): string[] {
  const html = tokensToHtml(lexed(markdown));
  return [...html.matchAll(/<code data-maths="(\w+)">(.*?)<\/code>/gs)].map(([, kind, text]) => `${kind}: ${text}`);
}

describe('Formulas', () => {
  it('are found in the ways that models write them', () => {
    assert.deepEqual(formulas('a $x^2$ b \\(y_1\\) c $$z$$ d'), ['inline: x^2', 'inline: y_1', 'inline: z']);
    assert.deepEqual(formulas('$$\nx = 1\n$$\n\ntext\n\n\\[ y \\]\n'), ['block: x = 1', 'block: y']);
  });

  it('are not amounts, variables of a shell, or code', () => {
    for (const text of [
      'It costs $5 and not $10.',
      'Set $HOME/bin:$PATH now',
      '`$x^2$`',
      'a $ b $ c',
      '$5-$10',
      '```\n$$x$$\n```',
    ]) {
      assert.deepEqual(formulas(text), [], text);
    }
  });

  it('are text as long as they are not complete', () => {
    assert.deepEqual(formulas('$$\nx = 1'), []);
    assert.deepEqual(formulas('the sum $x + '), []);
  });

  it('cannot be broken out of', () => {
    assert.deepEqual(formulas('$</code><img src=x>_1$'), ['inline: &lt;/code&gt;&lt;img src=x&gt;_1']);
  });

  it('are looked for in no more time than the text is long', () => {
    for (const piece of ['$', '$$', '\\[', '\\(', '$a', '$$\n']) {
      const took = processorTime(() => void formulas(piece.repeat(20_000)));
      assert.ok(took < 4000, `${piece} took ${took} ms`);
    }
  }).timeout(60_000);
});

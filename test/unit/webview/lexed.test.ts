import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tokensToHtml } from '../../../webview/markdown/html.ts';
import { lexed } from '../../../webview/markdown/lexed.ts';
import { processorTime } from '../../support/processor-time.ts';

function htmlOf(markdown: string): string {
  return tokensToHtml(lexed(markdown)).trim();
}

/** The fastest of three, so that nothing else on the machine counts. */
function timeOf(source: string): number {
  const times = [1, 2, 3].map(() => processorTime(() => void tokensToHtml(lexed(source))));
  return Math.min(...times);
}

describe('Hostile markdown', () => {
  const hostile: Readonly<Record<string, (count: number) => string>> = {
    'words with an underscore': (count) => 'x_'.repeat(count),
    'stars that open nothing': (count) => '*a '.repeat(count),
    'underscores that open nothing': (count) => '_a '.repeat(count),
    'a row of stars': (count) => `${'*'.repeat(count)}a`,
    'links without an end': (count) => '[a]('.repeat(count),
    'tildes that open nothing': (count) => '~a '.repeat(count),
    'dollars that open nothing': (count) => '$a '.repeat(count),
    'ticks of all lengths': (count) =>
      Array.from({ length: count / 10 }, (_, at) => '`'.repeat((at % 60) + 1)).join(' '),
    'notes without words': (count) => '[^a'.repeat(count),
  };
  for (const [what, of] of Object.entries(hostile)) {
    it(`takes longer as it gets longer, and no more than that: ${what}`, () => {
      timeOf(of(10_000));
      const [some, more] = [timeOf(of(20_000)), timeOf(of(160_000))];
      // Eight times as long. The square of that would be 64 times; below 10 ms it is the machine that is measured.
      assert.ok(more <= 32 * Math.max(some, 10), `${some.toFixed(1)} ms, then ${more.toFixed(1)} ms`);
    });
  }

  it('is shown as it was written, and what stands around it as ever', () => {
    const html = htmlOf(`**before**\n\n${'x_'.repeat(20_000)}<b>\n\n**after**`);
    assert.match(html, /^<p><strong>before<\/strong><\/p>\s*<p>x_x_x_/);
    assert.match(html, /x_&lt;b&gt;<\/p>\s*<p><strong>after<\/strong><\/p>$/);
  });

  it('is not what people write, however long that is', () => {
    const paragraph = 'A **bold** word, some `code`, a_name and [a link](https://example.com). '.repeat(60);
    assert.equal(htmlOf(paragraph).match(/<strong>bold<\/strong>/g)?.length, 60);
  });
});

describe('Footnotes', () => {
  it('stand where they were written, with their signs', () => {
    const html = htmlOf('It is fast[^1].\n\n[^1]: On a *quiet* machine.\n[^b]: https://example.com/x\n');
    assert.match(html, /fast<sup>1<\/sup>\./);
    assert.match(html, /<p data-note=""><sup>1<\/sup> On a <em>quiet<\/em> machine\.<\/p>/);
    assert.match(html, /<p data-note=""><sup>b<\/sup> <a href="https:\/\/example\.com\/x"/);
  });

  it('need no blank line before them', () => {
    assert.match(htmlOf('Text[^a]\n[^a]: Note'), /<p>Text<sup>a<\/sup>\s*<\/p>\s*<p data-note="">/);
  });

  it('cannot be broken out of by their sign', () => {
    assert.match(htmlOf('a[^<b>]'), /<sup>&lt;b&gt;<\/sup>/);
  });
});

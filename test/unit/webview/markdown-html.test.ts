import assert from 'node:assert/strict';
import { Lexer, type Token } from 'marked';
import { describe, it } from 'mocha';
import { HeadingLevels } from '../../../webview/markdown/heading-levels.ts';
import { ALLOWED_HREF, ALLOWED_TAGS, PLAIN_ATTRIBUTES, tokensToHtml } from '../../../webview/markdown/html.ts';

function htmlOf(markdown: string): string {
  return tokensToHtml(new Lexer().lex(markdown)).trim();
}

describe('The HTML of an answer', () => {
  it('shows raw HTML as text', () => {
    assert.equal(htmlOf('a <b onclick="x()">b</b>'), '<p>a &lt;b onclick=&quot;x()&quot;&gt;b&lt;/b&gt;</p>');
    assert.equal(htmlOf('<script>\nalert(1)\n</script>\n'), '<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>');
  });

  it('keeps the line break that tables need', () => {
    assert.match(htmlOf('| a |\n|---|\n| b<br>c |'), /<td>b<br>c<\/td>/);
  });

  it('makes a link of an image, with its words and its whole address', () => {
    const html = htmlOf('![a "chart"](https://example.com/x.png?a=1&b=2)');
    assert.doesNotMatch(html, /<img/);
    assert.match(html, />a &quot;chart&quot; \(https:\/\/example\.com\/x\.png\?a=1&amp;b=2\)<\/a>/);
  });

  it('has no link without words, and none in another', () => {
    const link = (label: string): string =>
      `<p><a href="https://x.y" title="https://x.y" rel="noopener noreferrer nofollow">${label}</a></p>`;
    assert.equal(htmlOf('[![<i>](https://a.b/c.svg)](https://x.y)'), link('&lt;i&gt;'));
    assert.equal(htmlOf('[](https://x.y)'), link('https://x.y'));
  });

  it('keeps the words of a link that leads nowhere', () => {
    assert.equal(htmlOf('[click](javascript:x)'), '<p>click</p>');
  });

  it('cannot be broken out of by a language, a path or an address', () => {
    for (const source of ['```"><img>\nx\n```', '[a](<"><img>.ts>)', '[a](https://x.y/"><img>)', '![a](<"><img>>)']) {
      assert.doesNotMatch(htmlOf(source), /<img/, source);
    }
  });

  it('is the text itself where it is nested too deep to be drawn', () => {
    let token: Token = { type: 'text', raw: '<b>', text: '<b>' };
    for (let level = 0; level < 50_000; level++)
      token = { type: 'blockquote', raw: '> <b>', text: '', tokens: [token] };
    assert.equal(tokensToHtml([token]), '<p>&gt; &lt;b&gt;</p>');
  });

  it('uses only what the sanitiser lets through', () => {
    const everything = [
      '# a\n\n> b *c* **d** ~~e~~ `f`\n\n1. g\n- h\n- [x] i\n\n---\n\n| j | k |\n|:-:|--:|\n| l | m |\n',
      '```ts\nn\n```\n\n[o](p.ts:1) <https://q.r> s  \nt',
    ].join('\n');
    const html = htmlOf(everything);
    const tags = new Set([...html.matchAll(/<([a-z0-9]+)/g)].map((match) => match[1] ?? ''));
    assert.deepEqual(
      [...tags].filter((tag) => !ALLOWED_TAGS.includes(tag)),
      [],
    );
    const attributes = new Set([...html.matchAll(/ ([a-z-]+)="/g)].map((match) => match[1] ?? ''));
    assert.deepEqual(
      [...attributes].filter((name) => name !== 'href' && !PLAIN_ATTRIBUTES.includes(name)),
      [],
    );
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) assert.match(href ?? '', ALLOWED_HREF);
  });

  it('starts headings at h3 and leaves no level out, however the model counts', () => {
    const levels = (...depths: number[]): number[] => {
      const heading = new HeadingLevels();
      return depths.map((depth) => heading.next(depth));
    };
    assert.deepEqual(levels(1, 2, 3), [3, 4, 5]);
    assert.deepEqual(levels(3, 3, 2, 3), [3, 3, 3, 4]);
    assert.deepEqual(levels(1, 4, 4, 2), [3, 4, 5, 4]);
    assert.deepEqual(levels(1, 2, 3, 4, 5, 6), [3, 4, 5, 6, 6, 6]);
  });
});

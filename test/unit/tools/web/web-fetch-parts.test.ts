import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { HostRates } from '../../../../extension/tools/web/fetched-page.ts';
import { shareBudget } from '../../../../extension/tools/web/pages-as-content.ts';
import { urlsInText } from '../../../../extension/tools/web/web-fetch.ts';

describe('The URLs of a prompt', () => {
  const cases: readonly [prompt: string, ...urls: string[]][] = [
    ['Summarise https://a.test/x.', 'https://a.test/x'],
    ['Is (https://a.test/x) or [it](https://b.test/y)?', 'https://a.test/x', 'https://b.test/y'],
    ['See https://en.wiki.test/wiki/A_(b), then go on', 'https://en.wiki.test/wiki/A_(b)'],
    [
      '"https://a.test/1" <https://a.test/2> `https://a.test/3`',
      'https://a.test/1',
      'https://a.test/2',
      'https://a.test/3',
    ],
    ['https://a.test and https://a.test/ again https://a.test/#part', 'https://a.test/'],
    ['https://github.com/o/r/blob/main/a.md', 'https://raw.githubusercontent.com/o/r/main/a.md'],
    ['nothing to see: a.test, mailto:x@y.test'],
  ];
  for (const [prompt, ...urls] of cases) {
    it(`are found in "${prompt}"`, () => {
      assert.deepEqual(
        urlsInText(prompt).urls.map(({ href }) => href),
        urls,
      );
    });
  }

  it('are listed with the reason when they cannot be fetched', () => {
    const { urls, problems } = urlsInText('ftp://a.test/ http://10.0.0.1/ https://:80 https://b.test');
    assert.deepEqual(
      urls.map(({ href }) => href),
      ['https://b.test/'],
    );
    assert.match(problems[0] ?? '', /^ftp:\/\/a\.test\/: Only http/);
    assert.match(problems[1] ?? '', /^http:\/\/10\.0\.0\.1\/: .*public internet/);
    assert.match(problems[2] ?? '', /^https:\/\/:80: It is not a valid URL/);
  });

  it('are looked for in any text without trouble', () => {
    const unit = fc.constantFrom('a', ':', '/', '.', '@', '[', ')', '%', ' ', 'ä', '\ud800', '\0');
    fc.assert(fc.property(fc.string({ unit }), (text) => void urlsInText(`http://${text}://${text}`)));
    for (const part of ['a.', ')', 'a://']) urlsInText(`https://${part.repeat(50_000)}`);
  });
});

describe('A budget', () => {
  const cases: readonly [lengths: number[], budget: number, shares: number[]][] = [
    [[20, 1, 4], 10, [5, 1, 4]],
    [[100, 100], 10, [5, 5]],
    [[1, 2, 3], 10, [1, 2, 3]],
    [[], 10, []],
    [[0, 50], 10, [0, 10]],
  ];
  for (const [lengths, budget, shares] of cases) {
    it(`of ${budget} for ${lengths.join(', ') || 'nothing'} is shared as ${shares.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(shareBudget(lengths, budget), shares));
  }

  it('is never exceeded, and never left over while somebody wants more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), fc.nat(5000), (lengths, budget) => {
        const shares = shareBudget(lengths, budget);
        const used = shares.reduce((sum, share) => sum + share, 0);
        const wanted = lengths.reduce((sum, length) => sum + length, 0);
        assert.ok(shares.every((share, index) => share <= (lengths[index] ?? 0)));
        assert.equal(used, Math.min(wanted, budget));
      }),
    );
  });
});

describe('The rate of requests', () => {
  it('is ten a minute for each host', () => {
    let now = 1000;
    const rate = new HostRates(() => now);
    const taken = Array.from({ length: 10 }, () => rate.take('a.test'));
    assert.ok(taken.every((wait) => wait === undefined));
    now += 15_000;
    assert.equal(rate.take('a.test'), 45_000);
    assert.equal(rate.take('b.test'), undefined);
    now += 45_001;
    assert.equal(rate.take('a.test'), undefined);
  });
});

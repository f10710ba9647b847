import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hostProblem, isSameSite, parseWebUrl, toRawUrl } from '../../../../extension/tools/web/web-url.ts';

function problemOf(text: string): string | undefined {
  const parsed = parseWebUrl(text);
  return 'problem' in parsed ? parsed.problem : hostProblem(parsed.url);
}

describe('A URL for the web', () => {
  const refused: readonly [url: string, why: RegExp][] = [
    ['ftp://example.com/', /Only http/],
    ['file:///etc/passwd', /Only http/],
    ['javascript:alert(1)', /Only http/],
    ['data:text/html,x', /Only http/],
    ['https://user:pw@example.com/', /password/],
    ['https://trusted.com@evil.example.com/', /password/],
    ['https://', /not a valid URL/],
    ['example.com', /not a valid URL/],
    ['https://exa mple.com', /not a valid URL/],
    ['https://example.com:22/', /Port 22/],
    ['https://example.com:25/', /Port 25/],
    ['https://example.com:6667/', /Port 6667/],
    [`https://example.com/${'x'.repeat(9000)}`, /longer than/],
    ['http://127.0.0.1/', /public internet/],
    ['http://127.0.0.1./', /public internet/],
    ['http://2130706433/', /public internet/],
    ['http://0x7f.1/', /public internet/],
    ['http://0177.0.0.1/', /public internet/],
    ['http://①②⑦.0.0.1/', /public internet/],
    ['http://[::1]/', /public internet/],
    ['http://[::ffff:169.254.169.254]/', /public internet/],
    ['http://169.254.169.254/latest/meta-data/', /public internet/],
    ['http://localhost:8080/', /public internet/],
    ['http://LOCALHOST./', /public internet/],
    ['http://metadata.google.internal/', /public internet/],
  ];
  for (const [url, why] of refused) {
    it(`is refused for ${url.slice(0, 60)}`, () => assert.match(problemOf(url) ?? 'allowed', why));
  }

  for (const url of [
    'https://example.com/',
    'http://example.com:8080/x?y=1',
    'https://8.8.8.8/',
    'http://example.com:443/',
  ]) {
    it(`is taken as ${url}`, () => assert.equal(problemOf(url), undefined));
  }

  it('shows a name that only looks like another as what it is', () => {
    const parsed = parseWebUrl('https://gооgle.com/#top');
    assert.equal('url' in parsed && parsed.url.href, 'https://xn--ggle-55da.com/');
  });
});

describe('A redirect', () => {
  const cases: readonly [from: string, to: string, isSame: boolean][] = [
    ['https://example.com/a', 'https://example.com/b', true],
    ['https://example.com/', 'https://www.example.com/', true],
    ['https://www.example.com/', 'https://example.com/', true],
    ['http://example.com/', 'https://example.com/', true],
    ['http://example.com/', 'https://www.example.com/', true],
    ['https://example.com/', 'http://example.com/', false],
    ['https://example.com/', 'https://example.com:8443/', false],
    ['http://example.com:8080/', 'https://example.com/', false],
    ['https://example.com/', 'https://example.com.evil.io/', false],
    ['https://example.com/', 'https://sub.example.com/', false],
    ['https://example.com/', 'https://evil.io/', false],
  ];
  for (const [from, to, isSame] of cases) {
    it(`from ${from} to ${to} ${isSame ? 'stays with' : 'leaves'} the site`, () =>
      assert.equal(isSameSite(new URL(from), new URL(to)), isSame));
  }
});

describe('A file on GitHub', () => {
  const cases: readonly [page: string, raw: string][] = [
    ['https://github.com/o/r/blob/main/src/a.ts', 'https://raw.githubusercontent.com/o/r/main/src/a.ts'],
    ['https://github.com/o/r/issues/1', 'https://github.com/o/r/issues/1'],
    ['https://github.com.evil.io/o/r/blob/main/a', 'https://github.com.evil.io/o/r/blob/main/a'],
  ];
  for (const [page, raw] of cases) {
    it(`is fetched from ${raw}`, () => assert.equal(toRawUrl(new URL(page)).href, raw));
  }
});

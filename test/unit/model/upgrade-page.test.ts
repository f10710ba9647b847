import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { upgradePage } from '../../../extension/model/upgrade-page.ts';

const page = (...urls: readonly string[]): string | undefined =>
  upgradePage({ code: 429, message: '', status: '', links: urls.map((url) => ({ description: 'Upgrade', url })) });

describe('The page for a higher limit', () => {
  it('is the first one of Google that the error names', () => {
    assert.equal(upgradePage(undefined), undefined);
    assert.equal(page(), undefined);
    assert.equal(page('https://ai.google.dev/pricing#tier'), 'https://ai.google.dev/pricing#tier');
    assert.equal(page('https://example.org', 'https://goo.gle/gemini-plans'), 'https://goo.gle/gemini-plans');
  });

  for (const url of [
    'http://ai.google.dev/pricing',
    'javascript:alert(1)//ai.google.dev',
    'https://ai.google.dev.example.org/pricing',
    'https://example.org/ai.google.dev',
    'https://user:pass@ai.google.dev/',
    'https://ai.google.dev@example.org/',
    'https://ai.google.dev:8443/',
    'https://ai.google.dev./',
    'https://www.google.com/url?q=https://example.org',
    'https://sites.google.com/view/upgrade-now',
    'https://storage.googleapis.com/bucket/page.html',
    'https://aі.google.dev/',
    `https://ai.google.dev/${'a'.repeat(3000)}`,
    'command:workbench.action.quit',
    'ai.google.dev',
    '',
  ]) {
    it(`is not ${url.slice(0, 60) || 'empty'}`, () => assert.equal(page(url), undefined));
  }
});

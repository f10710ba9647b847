import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hostRule, readHostRule, readTarget, targetText } from '../../../extension/sandbox/host-rules.ts';

describe('A host that commands may reach', () => {
  const rules: readonly [rule: string, reaches: readonly string[], not: readonly string[]][] = [
    [
      'example.com',
      ['example.com:443', 'example.com:80', 'EXAMPLE.com:443', 'example.com.:443', 'ex%61mple.com:443'],
      ['example.com:22', 'www.example.com:443', 'example.com.evil.org:443', 'notexample.com:443', 'example.co:443'],
    ],
    ['Example.COM:8443', ['example.com:8443'], ['example.com:443', 'example.com:80']],
    [
      '*.example.com',
      ['a.example.com:443', 'a.b.example.com:80'],
      ['example.com:443', 'aexample.com:443', 'a.example.com.evil.org:443', 'a.example.com:22', '.example.com:443'],
    ],
    ['*.example.com:8443', ['a.example.com:8443'], ['a.example.com:443']],
    ['bücher.example', ['xn--bcher-kva.example:443'], ['bucher.example:443']],
    ['127.0.0.1:3000', ['127.0.0.1:3000', '127.1:3000', '2130706433:3000', '0x7f.1:3000'], ['127.0.0.1:80']],
    ['[::1]:3000', ['[::1]:3000', '[0:0::1]:3000'], ['[::2]:3000', '127.0.0.1:3000']],
    ['localhost', ['localhost:80'], ['localhost:3000', 'a.localhost:80']],
  ];
  for (const [text, reaches, not] of rules) {
    it(text, () => {
      const rule = readHostRule(text);
      assert.ok(rule);
      const isReached = (authority: string): boolean => {
        const target = readTarget(authority, 1);
        return target !== undefined && hostRule(target, [rule]) !== undefined;
      };
      assert.deepEqual([...reaches, ...not].filter(isReached), reaches);
    });
  }

  const invalid = [
    ...['', '*', '*.', '*.com', '*.*.com', 'a*b.example.com', '*.127.0.0.1', '*.0.0.1', '*.[::1]'],
    ...['https://example.com', 'example.com/path', 'me@example.com', 'example.com:0', 'example.com:65536', 'a b.com'],
    ...[
      'example.com:',
      ':443',
      '..',
      'a..b',
      `${'a.'.repeat(200)}com`,
      'example.com:443:443',
      '[::1',
      '::1',
      "exa'mple.com",
    ],
  ];
  for (const text of invalid) {
    it(`is not "${text.slice(0, 40)}"`, () => {
      assert.equal(readHostRule(text), undefined);
    });
  }

  it('is named as a rule that allows it', () => {
    const named = ['example.com:443', 'example.com:80', 'example.com:22', '[::1]:443', '[::1]:22'].map((authority) => {
      const target = readTarget(authority, 1);
      return target && targetText(target);
    });
    assert.deepEqual(named, ['example.com', 'example.com', 'example.com:22', '[::1]', '[::1]:22']);
  });
});

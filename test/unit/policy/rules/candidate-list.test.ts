import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CandidateList, requiredText } from '../../../../extension/policy/rules/candidate-list.ts';
import { exactCommandPattern } from '../../../../extension/policy/rules/exact-patterns.ts';
import { prefixPattern } from '../../../../extension/policy/rules/safe-pattern.ts';
import { stableText } from '../../../../extension/text/stable-text.ts';

function listOf(patterns: readonly RegExp[]): CandidateList<RegExp> {
  return new CandidateList(patterns.map((rule, rank) => ({ rule, rank, required: requiredText(rule) })));
}

describe('the text a pattern requires', () => {
  const cases: readonly [source: string, required: string | undefined][] = [
    [prefixPattern('git log', 'allow'), '\0"command":"git log'],
    [prefixPattern('git log', 'deny'), '\0"command":"git log'],
    [exactCommandPattern('ls a.b'), '\0"command":"ls a.b"\0'],
    ['\\x00"file_path":"src/[^"]*"\\x00', '\0"file_path":"src/'],
    ['"command":"git', '"command":"git'],
    ['[^"]*secret', 'secret'],
    ['.*\\.env"', '.env"'],
    ['^\\x00"a":"b', '\0"a":"b'],
    ['\\bsecret\\b', 'secret'],
    ['short|secret', undefined],
    ['(short|secret)', undefined],
    ['(short|secret)/file', '/file'],
    ['(secret)?', undefined],
    ['(?!secret)file', 'file'],
    ['[|]secret', 'secret'],
    ['[(]secret|x', undefined],
    ['\\|secret', '|secret'],
    ['secret*', 'secre'],
    ['secret?file', 'secre'],
    ['secret{0}', 'secre'],
    ['secre\\*{0}', 'secre'],
    ['\\u00410041', undefined],
    ['\\x410041', undefined],
    ['secret\\u00410041004100', 'secret'],
    ['(a)\\10000', undefined],
    ['abc', undefined],
    ['', undefined],
  ];
  for (const [source, required] of cases) {
    it(`is ${JSON.stringify(required)} for ${source}`, () => {
      assert.equal(requiredText(new RegExp(source)), required);
    });
  }

  it('is not known when the case does not matter', () => {
    assert.equal(requiredText(new RegExp(prefixPattern('ls', 'allow'), 'i')), undefined);
  });
});

describe('the rules that are tried', () => {
  it('come in their order, those that require a text among those that do not', () => {
    const sources = ['x', '\\x00"a":"b', 'y', '\\x00"a":"c', '\\x00"a":"bc', '\\x00"b":'];
    const patterns = sources.flatMap(compiled);
    const tried = listOf(patterns).for(() => stableText({ a: 'bcd' }));
    assert.deepEqual(tried, [patterns[0], patterns[1], patterns[2], patterns[4]]);
  });

  it('come once, though a text names an argument twice', () => {
    const pattern = new RegExp(exactCommandPattern('ls'));
    const named = '\0"command":"ls"\0';
    assert.deepEqual(
      listOf([pattern]).for(() => `${named},${named}`),
      [pattern],
    );
  });

  it('do not need the text when no pattern does', () => {
    const text = (): string => assert.fail('asked for the text');
    assert.equal(listOf([/x/]).for(text).length, 1);
  });

  it('are all that match, whatever patterns and arguments are', () => {
    const piece = fc.constantFrom(
      ...['\\x00', '"a":', '"b":', '"', 'a', 'b', '|', '(', ')', '(?:', '[', ']', '[^"]', '*', '?', '+', '{0}', '{'],
      ...['.', '^', '$', '\\', '\\\\', '\\.', '\\|', '\\d', '\\/', '/', ' ', '{1,2}', '}', '.*', '(?!', 'abab'],
      ...['\\u0061', '\\x61', '\\1', '\\cA', '0061'],
    );
    const source = fc
      .tuple(fc.constantFrom('', '\\x00"a":"', '\\x00"b":"a'), fc.array(piece, { maxLength: 8 }))
      .map(([start, pieces]) => `${start}${pieces.join('')}`);
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '\0', '|', '.', '/', ' ', '0') });
    const args = fc.record({ a: value, b: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(source, { maxLength: 6 }), args, (sources, call) => {
        const text = stableText(call);
        const patterns = sources.flatMap(compiled);
        const matching = patterns.filter((pattern) => pattern.test(text));
        const tried = listOf(patterns).for(() => text);
        assert.deepEqual(
          tried.filter((pattern) => pattern.test(text)),
          matching,
        );
      }),
      { numRuns: 1000 },
    );
  });
});

function compiled(source: string): RegExp[] {
  try {
    return [new RegExp(source)];
  } catch {
    return [];
  }
}

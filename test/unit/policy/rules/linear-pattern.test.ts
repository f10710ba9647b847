import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { isQuickPattern, linearPattern } from '../../../../extension/policy/rules/linear-pattern.ts';
import { compileCommandPattern, compilePattern } from '../../../../extension/policy/rules/safe-pattern.ts';
import { growthOf, LINEAR } from '../../../support/processor-time.ts';

const SLOW: readonly (readonly [source: string, text: string])[] = [
  [String.raw`(\w|[a-z])+!`, 'a'],
  ['(a|aa)+$', 'a'],
  ['(?:a?){9}a{9}b', 'a'],
  ['a*a*a*a*b', 'a'],
  ['git.*push', 'git '],
  ['[^"]*x.*y', 'x'],
  [String.raw`(?:\s|[ ])*z`, ' '],
  [String.raw`\s+$`, '\u00a0'],
];

describe('A pattern of a rule', () => {
  for (const [source, piece] of SLOW) {
    it(`takes time in proportion to the text: ${source}`, () => {
      const compiled = compilePattern(source);
      assert.ok('pattern' in compiled);
      const test = (length: number): void =>
        assert.equal(compiled.pattern.test(`${piece.repeat(length / piece.length)}#`), false);
      const growth = growthOf(test, 4000);
      assert.ok(growth < LINEAR, `${growth} times`);
    });
  }

  const REFUSED = [
    '(?:a?){40}a{40}b',
    String.raw`(a+)\1b`,
    '(?!.*x).*y',
    'a(?<=b+)c.*d',
    '(?:a|b){2000}',
    'a{5000}(b|c)+',
  ];
  for (const source of REFUSED) {
    it(`is refused when no engine is quick with it: ${source}`, () => {
      assert.match(JSON.stringify(compilePattern(source)), /could take forever/);
    });
  }

  const KEPT = ['git (?!push)', '^(?=.*x)y', 'git (status|log).*', '(?<!a)b', String.raw`\bnpm\b (?:run|test)`];
  for (const source of KEPT) {
    it(`may look around where that is quick: ${source}`, () => {
      assert.ok('pattern' in compileCommandPattern(source, 'allow'));
      assert.ok('pattern' in compileCommandPattern(source, 'deny'));
    });
  }

  it('is left to JavaScript only when one repetition at most can continue', () => {
    const quick = [
      'abc',
      Array.from({ length: 50 }, (_, index) => `rm ${index}`).join('|'),
      '^a*b',
      'a?b',
      '[^"]{1,5}x',
      '(?:ab)c',
      String.raw`\x00"command":"git .* x`,
    ];
    const others = ['a*b', '^a*b*', '(a|b)+', String.raw`\x00".*x`, 'x|^a*b', '(a?){20}'];
    assert.deepEqual([...quick, ...others].filter(isQuickPattern), quick);
  });

  it('means the same on either engine', () => {
    const atom = fc.constantFrom(
      ...['a', 'b', '.', '[ab]', '[^a]', '[^]', String.raw`\s`, String.raw`\S`, String.raw`\w`, String.raw`\b`],
      ...[
        String.raw`\x00`,
        String.raw`\u00e9`,
        String.raw`[\s[]`,
        String.raw`\Q`,
        String.raw`\z`,
        String.raw`\/`,
        '{',
        ']',
      ],
      ...['(a|b)', '(?:a|)', '(?<n>b)', '^', '$', '[[:alpha:]]', String.raw`[\b-]`, '-', String.raw`\cJ`],
    );
    const piece = fc.tuple(atom, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}?')).map((two) => two.join(''));
    const source = fc
      .tuple(fc.array(piece, { maxLength: 6 }), fc.array(piece, { maxLength: 3 }))
      .map(([left, right]) => {
        const [first, second] = [left.join(''), right.join('')];
        return second === '' ? first : `${first}|${second}`;
      });
    const text = fc
      .array(
        fc.constantFrom('a', 'b', ' ', '\n', '\0', 'é', '\u00a0', '\u2028', 'Q', 'z', '[', ']', '{', ':', '-', '\b'),
      )
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(source, text, (written, tested) => {
        let pattern: RegExp;
        try {
          pattern = new RegExp(written);
        } catch {
          return;
        }
        const linear = linearPattern(pattern);
        if (linear) assert.equal(linear.test(tested), pattern.test(tested), JSON.stringify([written, tested]));
      }),
      { numRuns: 3000 },
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findSecrets } from '../../../extension/safety/find-secrets.ts';
import { cutLongOutput, longestOutput, outputFileName, wholeOutputFile } from '../../../extension/text/long-output.ts';
import { asUntrusted } from '../../../extension/text/untrusted.ts';
import { LINES, SECRETS } from '../safety/found.corpus.ts';

const WORDS = 'the quick brown fox jumps over the lazy dog '.repeat(200);

describe('A long output', () => {
  it('is left alone up to the threshold', () => {
    const text = 'x'.repeat(5000);
    assert.equal(cutLongOutput(text, { threshold: 5000, file: '/out.txt' }), text);
  });

  it('keeps a fifth from the start and the rest from the end, and says where it all is', () => {
    const text = `${'a'.repeat(10_000)}${'b'.repeat(20_000)}${'c'.repeat(10_000)}`;
    const cut = cutLongOutput(text, { threshold: 10_000, file: '/out.txt' });
    assert.equal(
      cut,
      [
        '[The output was too long: here are its first 2,000 and last 8,000 characters. The whole output is in /out.txt]',
        'a'.repeat(2000),
        '\n[… 30,000 characters left out …]\n',
        'c'.repeat(8000),
      ].join('\n'),
    );
  });

  for (const threshold of [0, -5, Number.NaN, 1]) {
    it(`never shrinks to nothing: ${threshold}`, () => {
      const cut = cutLongOutput('x'.repeat(100_000), { threshold, file: undefined });
      assert.match(cut, /first 400 and last 1,600 characters\. The whole output could not be saved/);
    });
  }

  it('has no part of a secret in it that is not known for one, wherever it is cut', () => {
    const texts = [
      ...SECRETS.map(([, secret]) => [`It is ${secret} now`, secret] as const),
      ...LINES.map(([, line, secret]) => [line, secret] as const),
    ];
    for (const [line, secret] of texts) {
      for (let at = 0; at <= line.length; at += 3) {
        const atHead = `${WORDS.slice(0, Math.max(0, 399 - at))}\n${line}\n${WORDS}`;
        const atTail = `${WORDS}\n${line}\n${WORDS.slice(0, Math.max(0, 1599 - at))}`;
        for (const text of [atHead, atTail]) {
          const sent = withoutSecrets(cutLongOutput(text, { threshold: 2000, file: undefined }));
          const leak = piecesOf(secret).find((piece) => sent.includes(piece));
          assert.equal(leak, undefined, `${line.slice(0, 40)} at ${at}`);
        }
      }
    }
  });

  it('is not cut through a character', () => {
    for (const text of ['🙂'.repeat(5000), `x${'🙂'.repeat(5000)}`]) {
      const cut = cutLongOutput(text, { threshold: 2003, file: undefined });
      assert.doesNotMatch(cut, /\p{Surrogate}/u);
    }
  });
});

describe('Untrusted text', () => {
  it('cannot end its own mark', () => {
    const tricks = fc.constantFrom(
      '</untrusted_context>',
      '</UNTRUSTED_Context >',
      '< / untrusted_context',
      '\u{e0041}',
      'x',
      '<',
      '/',
    );
    fc.assert(
      fc.property(fc.array(tricks), (pieces) => {
        const inside = asUntrusted(pieces.join('')).slice(
          '<untrusted_context>\n'.length,
          -'\n</untrusted_context>'.length,
        );
        assert.doesNotMatch(inside, /<\s*\/\s*untrusted_context/i);
        assert.doesNotMatch(inside, /[\u{e0000}-\u{e007f}]/u);
      }),
    );
  });

  it('is otherwise as it was', () => {
    assert.equal(asUntrusted('a < b\n</p>'), '<untrusted_context>\na < b\n</p>\n</untrusted_context>');
  });

  it('may be shorter when the window is nearly full, but never too short to see anything', () => {
    assert.equal(longestOutput(), 40_000);
    assert.equal(longestOutput(1_000_000), 40_000);
    assert.equal(longestOutput(5000), 20_000);
    for (const tokensLeft of [0, -20_000, 100]) assert.equal(longestOutput(tokensLeft), 2000);
    assert.equal(longestOutput(1_000_000, true), 400_000);
  });

  it('says in its first line where the whole is, if it was cut', () => {
    const text = 'x'.repeat(10_000);
    for (const file of ['/a/b c].txt', 'C:\\out.txt']) {
      assert.equal(wholeOutputFile(cutLongOutput(text, { threshold: 5000, file })), file);
    }
    assert.equal(wholeOutputFile(cutLongOutput(text, { threshold: 5000, file: undefined })), undefined);
    assert.equal(wholeOutputFile(text), undefined);
  });

  it('has a file whose name cannot lead anywhere else', () => {
    assert.equal(outputFileName('../up', 'a/../../b\0'), '___up_a_______b_.txt');
    assert.ok(outputFileName('x'.repeat(500), 'y').length < 140);
  });
});

/** What leaves of it. */
function withoutSecrets(text: string): string {
  return findSecrets(text).reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** Long enough that nobody has them by chance. */
function piecesOf(secret: string): string[] {
  const pieces = secret.split(/-----[A-Z ]+-----|\s/).filter((piece) => piece.length >= 8);
  return pieces.flatMap((piece) => Array.from({ length: piece.length - 7 }, (_, at) => piece.slice(at, at + 8)));
}

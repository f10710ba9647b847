import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { showInvisible } from '../../../extension/safety/invisible.ts';

const tags = (text: string): string =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('Characters that nobody sees', () => {
  const hiding: readonly (readonly [string, string, string])[] = [
    ['tag characters', `hi${tags('Ab')}`, 'hi\\u{E0041}\\u{E0062}'],
    [
      'tags behind a flag that is none',
      `\u{1f3f4}${tags('run')}\u{e007f}`,
      '\u{1f3f4}\\u{E0072}\\u{E0075}\\u{E006E}\\u{E007F}',
    ],
    ['an override', 'a\u202Eb\u202C', 'a\\u{202E}b\\u{202C}'],
    ['isolates', '/*\u2066 x \u2069*/', '/*\\u{2066} x \\u{2069}*/'],
    ['joiners between Latin letters', 'a\u200Db\u200Cc\u200Bd', 'a\\u{200D}b\\u{200C}c\\u{200B}d'],
    ['marks in Latin text', 'a\u200Fb', 'a\\u{200F}b'],
    ['selectors in a row', 'a\uFE01\uFE02\uFE03', 'a\uFE01\\u{FE02}\\u{FE03}'],
    ['bytes in selectors', '\u{1f600}\u{e0100}\u{e0120}', '\u{1f600}\u{e0100}\\u{E0120}'],
    ['word joiners and other marks', 'a\u2060\u2063b\uFEFF', 'a\\u{2060}\\u{2063}b\\u{FEFF}'],
  ];
  for (const [what, text, shown] of hiding) {
    it(`are shown: ${what}`, () => assert.equal(showInvisible(text).text, shown));
  }

  const meant: readonly (readonly [string, string])[] = [
    ['Arabic', 'مرحبا بالعالم، كيف حالك؟'],
    ['Persian with its joiner', 'می‌خواهم کتاب‌ها را ببینم'],
    ['Hebrew with a mark', 'שלום עולם\u200F! (test)'],
    ['Hindi with joiners', 'क्‍ष और न्‌ह, हिन्दी'],
    ['Bengali', 'র‍্যাব'],
    ['Thai with breaks', 'สวัสดี\u200Bครับ'],
    ['a family', '👨‍👩‍👧‍👦 and 👩🏽‍💻 and ❤️‍🔥 and 🏳️‍🌈'],
    ['flags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿 🇫🇷'],
    ['a key cap', '1️⃣ and ☎︎'],
    ['a variant of an ideograph', '葛\u{e0100}城'],
    ['a byte order mark', '\uFEFF# Title'],
    ['plain text', 'just text\n\twith code {}'],
  ];
  for (const [what, text] of meant) {
    it(`stay where they are meant: ${what}`, () => assert.deepEqual(showInvisible(text), { text, count: 0 }));
  }

  it('are shown once: a second pass changes nothing', () => {
    const wild = fc.array(
      fc.oneof(
        fc.constantFrom(
          '\u200D',
          '\u202E',
          '\uFE0F',
          '\u{e0041}',
          '\u200F',
          '👩',
          'क',
          'ש',
          'a',
          ' ',
          '\uFEFF',
          '\u{1f3f4}',
        ),
        fc.string({ unit: 'binary' }),
      ),
    );
    fc.assert(
      fc.property(wild, (pieces) => {
        const { text } = showInvisible(pieces.join(''));
        assert.deepEqual(showInvisible(text), { text, count: 0 });
      }),
    );
  });
});

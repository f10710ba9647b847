import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decisionButtons } from '../../../../extension/protocol/agent/decisions.ts';
import { visiblePieces } from '../../../../extension/protocol/words/visible-text.ts';

describe('A question', () => {
  const labels = (...decisions: string[]): (string | undefined)[] => {
    const { primary, wider } = decisionButtons(decisions);
    return [primary?.label, ...wider.map(({ label }) => label)];
  };

  it('offers the narrowest yes first', () => {
    assert.deepEqual(labels('once'), ['Allow once']);
    assert.deepEqual(labels('always', 'session', 'once'), ['Allow once', 'Allow for this session', 'Always allow']);
  });

  it('offers no yes that it has no words for', () => {
    assert.deepEqual(labels('forever'), [undefined]);
  });

  const shown = (text: string): string =>
    visiblePieces(text)
      .map((piece) => (piece.hidden ? `[${piece.text}]` : piece.text))
      .join('');
  const CASES: readonly [string, string, string][] = [
    ['words and lines', 'rm -r a\n\tb\r\nc', 'rm -r a\n\tb\r\nc'],
    ['other scripts', 'Größe 日本 שלום 🙂', 'Größe 日本 שלום 🙂'],
    ['a space of no width', 'a\u200bb', 'a[U+200B]b'],
    ['a run of the same', 'a\u200b\u200b\u200bb', 'a[U+200B ×3]b'],
    ['text that turns its direction', 'a\u202eb\u2066c', 'a[U+202E]b[U+2066]c'],
    ['what moves the cursor', 'a\rb\u001b[2Kc\u0000', 'a[U+000D]b[U+001B][2Kc[U+0000]'],
    ['blanks that are not the space', 'a\u00a0b\u3164c\u2800d', 'a[U+00A0]b[U+3164]c[U+2800]d'],
    ['tags', 'a\u{e0041}b', 'a[U+E0041]b'],
    ['half a character', 'a\ud800b', 'a[U+D800]b'],
    ['nothing', '', ''],
  ];
  for (const [name, text, expected] of CASES) it(`shows ${name}`, () => assert.equal(shown(text), expected));
});

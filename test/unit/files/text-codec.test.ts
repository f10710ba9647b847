import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  decodeExactly,
  decodeText,
  encodeText,
  looksBinary,
  type TextEncoding,
} from '../../../extension/files/text-codec.ts';
import { encodeWithBom } from '../../support/encoded-text.ts';

const ENCODINGS: readonly TextEncoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'];

describe('text codec', () => {
  for (const encoding of ENCODINGS) {
    it(`reads any text in ${encoding} by its byte order mark`, () => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme' }), (text) => {
          // U+FEFF U+0000 in UTF-16 LE cannot be told from the mark of UTF-32 LE.
          fc.pre(!text.startsWith('\0'));
          const bytes = encodeWithBom(text, encoding);
          assert.deepEqual(decodeText(bytes), { text, encoding, hasBom: true });
          assert.equal(looksBinary(bytes), false);
        }),
      );
    });
  }

  it('reads text without a mark as UTF-8', () => {
    const text = 'Grüße, 世界 🙂\r\n';
    assert.deepEqual(decodeText(Buffer.from(text)), { text, encoding: 'utf-8', hasBom: false });
  });

  const broken: readonly [title: string, bytes: readonly number[], text: string][] = [
    ['Latin-1 bytes', [0x63, 0x61, 0x66, 0xe9], 'caf\ufffd'],
    ['half a UTF-16 LE character', [0xff, 0xfe, 0x61, 0x00, 0x62], 'a\ufffd'],
    ['half a UTF-16 BE character', [0xfe, 0xff, 0x00, 0x61, 0x00], 'a\ufffd'],
    ['half a surrogate pair', [0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00], '\ufffda'],
    ['UTF-32 beyond Unicode', [0xff, 0xfe, 0, 0, 0, 0, 0x11, 0, 0x61, 0, 0, 0], '\ufffda'],
    ['a surrogate in UTF-32', [0, 0, 0xfe, 0xff, 0, 0, 0xd8, 0, 0, 0, 0, 0x61], '\ufffda'],
    ['a torn end in UTF-32', [0, 0, 0xfe, 0xff, 0, 0, 0, 0x61, 0, 0], 'a\ufffd'],
    ['nothing but a mark', [0xef, 0xbb, 0xbf], ''],
    ['nothing', [], ''],
  ];
  for (const [title, bytes, text] of broken) {
    it(`makes the best of ${title}`, () => {
      assert.equal(decodeText(Uint8Array.from(bytes)).text, text);
    });
  }

  it('writes what it read, byte for byte', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.constantFrom(...ENCODINGS), (read, encoding) => {
        const bytes = Buffer.from(encodeWithBom(read, encoding));
        assert.deepEqual(encodeText(decodeText(bytes)), bytes);
      }),
    );
  });

  it('gives a text only where writing it back gives the same bytes', () => {
    const marks = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]];
    const wild = fc.tuple(fc.constantFrom(...marks), fc.uint8Array({ maxLength: 12 }));
    fc.assert(
      fc.property(wild, ([mark, rest]) => {
        const bytes = Buffer.from([...mark, ...rest]);
        const decoded = decodeExactly(bytes);
        if (decoded) assert.deepEqual(encodeText(decoded), bytes);
        else assert.ok(decodeText(bytes).text.includes('\ufffd'));
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves the bytes it was given alone', () => {
    const bytes = encodeWithBom('text', 'utf-16be');
    const before = Buffer.from(bytes);
    decodeText(bytes);
    assert.deepEqual(Buffer.from(bytes), before);
  });

  const samples: readonly [title: string, bytes: Uint8Array, isBinary: boolean][] = [
    ['source code', Buffer.from('const a = 1;\n\tb();\r\n'), false],
    ['an empty file', Buffer.alloc(0), false],
    ['text in another script', Buffer.from('こんにちは'), false],
    ['terminal output with some escapes', Buffer.from('\x1b[31mred\x1b[0m and plain text'), false],
    ['a NUL', Buffer.from('text\0text'), true],
    ['mostly control characters', Buffer.from([1, 2, 3, 4, 0x61, 0x62]), true],
    ['a NUL far behind the start', Buffer.concat([Buffer.alloc(5000, 'a'), Buffer.alloc(1)]), false],
  ];
  for (const [title, bytes, isBinary] of samples) {
    it(`takes ${title} for ${isBinary ? 'binary' : 'text'}`, () => {
      assert.equal(looksBinary(bytes), isBinary);
    });
  }
});

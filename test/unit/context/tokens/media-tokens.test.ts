import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { MEDIA_KEY } from '../../../../extension/context/media-line.ts';
import { configTokens, estimateTokens } from '../../../../extension/context/token-estimate.ts';
import { imageSize, mediaRuleOf, mediaTokens } from '../../../../extension/context/tokens/media-tokens.ts';

describe('The tokens of media', () => {
  const PICTURES = { png, gif, jpeg, 'lossy webp': webp, 'lossless webp': losslessWebp, 'extended webp': extendedWebp };
  for (const [name, make] of Object.entries(PICTURES)) {
    it(`come from the size of a picture: ${name}`, () => {
      assert.deepEqual(imageSize(make(960, 540)), { width: 960, height: 540 });
      const data = make(960, 540).toString('base64');
      assert.equal(mediaTokens({ mimeType: 'image/png', data }, 'tiles'), 6 * 258);
      assert.equal(mediaTokens({ mimeType: 'image/png', data: make(384, 200).toString('base64') }, 'tiles'), 258);
    });
  }

  it('are a fixed number for a picture from Gemini 3 on', () => {
    const data = png(960, 540).toString('base64');
    assert.equal(mediaTokens({ mimeType: 'image/png', data }, 'fixed'), 1120);
    assert.deepEqual(
      ['gemini-3.8-flash', 'google/gemini-3-pro', 'gemini-10', 'gemini-2.5-pro', 'gemma-4-31b', ''].map(mediaRuleOf),
      ['fixed', 'fixed', 'fixed', 'tiles', 'tiles', 'tiles'],
    );
  });

  it('are guessed where a header cannot be read, whatever is in it', () => {
    for (const bytes of [
      '',
      'x',
      'GIF8',
      '\x89PNG',
      'RIFF....WEBPVP8 ',
      '\xff\xd8\xff\xe1\x00\x00',
      '\xff\xd8\xff\xff\xff',
    ]) {
      const data = Buffer.from(bytes, 'latin1').toString('base64');
      assert.equal(mediaTokens({ mimeType: 'image/png', data }, 'tiles'), 6 * 258);
    }
  });

  it('follow the pages of a document', () => {
    const pdf = (pages: number): string => `%PDF-1.7\n${'<</Type/Page /Parent 1 0 R>>\n'.repeat(pages)}`;
    const listed = '<</Type /Pages /Kids [3 0 R] /Count 12>>';
    const of = (text: string, rule: 'fixed' | 'tiles'): number =>
      mediaTokens({ mimeType: 'application/pdf', data: Buffer.from(text).toString('base64') }, rule);
    assert.equal(of(pdf(3), 'tiles'), 3 * 258);
    assert.equal(of(pdf(3), 'fixed'), 3 * 560);
    assert.equal(of(listed, 'tiles'), 12 * 258);
    assert.equal(of('packed', 'tiles'), 258);
  });

  it('follow the length of sound', () => {
    const wave = Buffer.alloc(64_000);
    wave.write('RIFF', 0, 'latin1');
    wave.writeUInt32LE(32_000, 28);
    assert.equal(mediaTokens({ mimeType: 'audio/wav', data: wave.toString('base64') }, 'tiles'), 64);
  });

  it('are counted wherever media stands, once', () => {
    const inlineData = { mimeType: 'image/png', data: png(300, 300).toString('base64') };
    const beside = estimateTokens([{ role: 'user', parts: [{ inlineData }] }]);
    const response = { output: '', [MEDIA_KEY]: [{ inlineData }] };
    const inResponse = estimateTokens([{ role: 'user', parts: [{ functionResponse: { name: 'look', response } }] }]);
    assert.equal(beside, 259);
    assert.ok(inResponse > 258 && inResponse < 280, `${inResponse}`);
  });

  it('of instructions and tools are counted too', () => {
    const declaration = { name: 'read_file', description: 'Reads a file.', parametersJsonSchema: { type: 'object' } };
    const few = configTokens({ systemInstruction: 'Be brief.' });
    const more = configTokens({ systemInstruction: 'Be brief.', tools: [{ functionDeclarations: [declaration] }] });
    assert.ok(few >= 3 && few <= 5 && more > few + 10 && more < few + 30, `${few}, ${more}`);
  });
});

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32BE(0x89504e47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function gif(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(10);
  bytes.write('GIF89a', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

/** With a preview before the frame, as cameras write it. */
function jpeg(width: number, height: number): Buffer {
  const preview = Buffer.alloc(2 + 60_000);
  preview.writeUInt16BE(0xffe1, 0);
  preview.writeUInt16BE(60_000, 2);
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), preview, frame]);
}

function riff(kind: string): Buffer {
  const bytes = Buffer.alloc(30);
  bytes.write(`RIFF....WEBP${kind}`, 'latin1');
  return bytes;
}

function webp(width: number, height: number): Buffer {
  const bytes = riff('VP8 ');
  bytes.writeUInt16LE(width, 26);
  bytes.writeUInt16LE(height, 28);
  return bytes;
}

function losslessWebp(width: number, height: number): Buffer {
  const bytes = riff('VP8L');
  bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  return bytes;
}

function extendedWebp(width: number, height: number): Buffer {
  const bytes = riff('VP8X');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
}

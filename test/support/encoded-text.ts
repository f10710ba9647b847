import type { TextEncoding } from '../../extension/files/text-codec.ts';

/** Text as an editor would save it in this encoding, with its byte order mark. */
export function encodeWithBom(text: string, encoding: TextEncoding): Uint8Array {
  const marked = `\uFEFF${text}`;
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(marked, 'utf8');
    case 'utf-16le':
      return Buffer.from(marked, 'utf16le');
    case 'utf-16be':
      return Buffer.from(marked, 'utf16le').swap16();
    case 'utf-32le':
      return encodeUtf32(marked, true);
    case 'utf-32be':
      return encodeUtf32(marked, false);
  }
}

function encodeUtf32(text: string, isLittleEndian: boolean): Uint8Array {
  const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = new DataView(new ArrayBuffer(codePoints.length * 4));
  codePoints.forEach((codePoint, index) => {
    bytes.setUint32(index * 4, codePoint, isLittleEndian);
  });
  return new Uint8Array(bytes.buffer);
}

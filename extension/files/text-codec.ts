export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

export interface DecodedText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly hasBom: boolean;
}

/** Longest first: the mark of UTF-32 LE begins with that of UTF-16 LE. */
const BYTE_ORDER_MARKS: readonly { readonly encoding: TextEncoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-32le', bytes: [0xff, 0xfe, 0x00, 0x00] },
  { encoding: 'utf-32be', bytes: [0x00, 0x00, 0xfe, 0xff] },
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** How many bytes from the start of a file suffice to tell text from binary, as in Gemini CLI. */
export const SNIFF_BYTES = 4096;

/** Gemini CLI's threshold: text has tabs and escapes, but not this many control characters. */
const MAX_CONTROL_SHARE = 0.3;

const REPLACEMENT = '\ufffd';

/** With the `u` flag, a valid pair is one character and does not match. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Never throws: invalid sequences become U+FFFD. Text without a byte order mark is decoded as UTF-8. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const mark = findByteOrderMark(bytes);
  const body = bytes.subarray(mark?.bytes.length ?? 0);
  const encoding = mark?.encoding ?? 'utf-8';
  return { text: decodeAs(encoding, body), encoding, hasBom: mark !== undefined };
}

/** The exact inverse of decoding, for everything that was valid in its encoding. */
export function encodeText({ text, encoding, hasBom }: DecodedText): Buffer {
  const mark = BYTE_ORDER_MARKS.find((each) => each.encoding === encoding);
  return Buffer.concat([Buffer.from(hasBom ? (mark?.bytes ?? []) : []), encodeAs(encoding, text)]);
}

/**
 * Returns undefined if encoding the text again would change other bytes, because they have another encoding or are
 * damaged.
 */
export function decodeExactly(bytes: Uint8Array): DecodedText | undefined {
  const decoded = decodeText(bytes);
  return encodeText(decoded).equals(bytes) ? decoded : undefined;
}

/**
 * Checks the first bytes of a file. A byte order mark means text; otherwise a NUL means binary, because only UTF-16/32
 * text contains it.
 */
export function looksBinary(head: Uint8Array): boolean {
  if (findByteOrderMark(head)) return false;
  const sample = head.subarray(0, SNIFF_BYTES);
  if (sample.includes(0)) return true;
  let controls = 0;
  // Not a function for each byte: that would be a fifth of all calls of functions in a step that reads a file.
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at] as number;
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) controls++;
  }
  return controls > sample.length * MAX_CONTROL_SHARE;
}

function findByteOrderMark(bytes: Uint8Array): (typeof BYTE_ORDER_MARKS)[number] | undefined {
  return BYTE_ORDER_MARKS.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
}

function decodeAs(encoding: TextEncoding, bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (encoding) {
    case 'utf-8':
      return buffer.toString('utf8');
    case 'utf-16le':
      return decodeUtf16(buffer);
    case 'utf-16be':
      return decodeUtf16(buffer, true);
    case 'utf-32le':
      return decodeUtf32(buffer, (offset) => buffer.readUInt32LE(offset));
    case 'utf-32be':
      return decodeUtf32(buffer, (offset) => buffer.readUInt32BE(offset));
  }
}

function encodeAs(encoding: TextEncoding, text: string): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'utf-32le':
      return encodeUtf32(text, (bytes, codePoint, offset) => bytes.writeUInt32LE(codePoint, offset));
    case 'utf-32be':
      return encodeUtf32(text, (bytes, codePoint, offset) => bytes.writeUInt32BE(codePoint, offset));
  }
}

function encodeUtf32(text: string, write: (bytes: Buffer, codePoint: number, offset: number) => number): Buffer {
  const bytes = Buffer.alloc(text.length * 4);
  let length = 0;
  for (const character of text) length = write(bytes, character.codePointAt(0) ?? 0, length);
  return bytes.subarray(0, length);
}

function decodeUtf16(buffer: Buffer, isBigEndian = false): string {
  const whole = buffer.subarray(0, buffer.length - (buffer.length % 2));
  // Swapping happens in place, so it needs a copy.
  const littleEndian = isBigEndian ? Buffer.from(whole).swap16() : whole;
  const text = littleEndian.toString('utf16le').replace(LONE_SURROGATE, REPLACEMENT);
  return whole.length === buffer.length ? text : `${text}${REPLACEMENT}`;
}

/**
 * Converts to UTF-16 first, which Node decodes at once: building a string from single characters needs many times the
 * memory.
 */
function decodeUtf32(buffer: Buffer, read: (offset: number) => number): string {
  const utf16 = Buffer.alloc(buffer.length);
  let length = 0;
  for (let offset = 0; offset + 4 <= buffer.length; offset += 4) {
    const raw = read(offset);
    const codePoint = isScalarValue(raw) ? raw : REPLACEMENT.charCodeAt(0);
    if (codePoint < 0x10000) {
      length = utf16.writeUInt16LE(codePoint, length);
    } else {
      length = utf16.writeUInt16LE(0xd800 + ((codePoint - 0x10000) >> 10), length);
      length = utf16.writeUInt16LE(0xdc00 + ((codePoint - 0x10000) & 0x3ff), length);
    }
  }
  const text = utf16.toString('utf16le', 0, length);
  return buffer.length % 4 === 0 ? text : `${text}${REPLACEMENT}`;
}

function isScalarValue(codePoint: number): boolean {
  return codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}

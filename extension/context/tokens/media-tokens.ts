import { textTokens } from './text-tokens.ts';

/** Gemini 3 counts a fixed number of tokens for an image; earlier models split large images into tiles. */
export type MediaRule = 'fixed' | 'tiles';

export interface InlineMedia {
  readonly mimeType?: string | undefined;
  /** Base64; absent for a file that is referenced by its URI. */
  readonly data?: string | undefined;
}

export function mediaRuleOf(model: string): MediaRule {
  return /gemini-([3-9]|\d\d)/.test(model) ? 'fixed' : 'tiles';
}

/**
 * The tokens of images, documents, audio and video: https://ai.google.dev/gemini-api/docs/tokens and /media-resolution.
 */
export function mediaTokens({ mimeType = '', data }: InlineMedia, rule: MediaRule): number {
  const [kind] = mimeType.split('/');
  if (kind === 'image') return rule === 'fixed' ? PER_PICTURE : PER_TILE * tilesOf(data);
  if (mimeType === 'application/pdf') return pagesOf(data) * (rule === 'fixed' ? PER_PAGE : PER_TILE);
  if (kind === 'audio') return Math.round(secondsOf(data, AUDIO_BYTES_PER_SECOND) * AUDIO_PER_SECOND);
  if (kind === 'video') return Math.round(secondsOf(data, VIDEO_BYTES_PER_SECOND) * VIDEO_PER_SECOND[rule]);
  return data === undefined ? PER_TILE : textTokens(Buffer.from(data, 'base64').toString('utf8'));
}

const PER_TILE = 258;
/** The defaults of `media_resolution`: high for images, medium for pages. */
const PER_PICTURE = 1120;
const PER_PAGE = 560;
const AUDIO_PER_SECOND = 32;
/** Each second has one frame and its audio. */
const VIDEO_PER_SECOND: Readonly<Record<MediaRule, number>> = { fixed: 70 + AUDIO_PER_SECOND, tiles: 263 };
/** Used if the header does not contain the duration: 128 kbit/s and 2 Mbit/s are usual. */
const AUDIO_BYTES_PER_SECOND = 16_000;
const VIDEO_BYTES_PER_SECOND = 250_000;

const SMALL_SIDE = 384;
const SMALLEST_TILE = 256;
const LARGEST_TILE = 768;
/** The tiles of a screenshot, used if the header cannot be parsed. */
const USUAL_TILES = 6;
/** Cameras store previews before the image's size. */
const HEADER_CHARS = 400_000;

function tilesOf(data: string | undefined): number {
  const size = data === undefined ? undefined : imageSize(Buffer.from(data.slice(0, HEADER_CHARS), 'base64'));
  if (!size) return USUAL_TILES;
  const { width, height } = size;
  if (width <= SMALL_SIDE && height <= SMALL_SIDE) return 1;
  const side = Math.min(LARGEST_TILE, Math.max(SMALLEST_TILE, Math.floor(Math.min(width, height) / 1.5)));
  return Math.ceil(width / side) * Math.ceil(height / side);
}

/** Used if the page tree is compressed: the usual size of a page with text and images. */
const BYTES_PER_PAGE = 60_000;

function pagesOf(data: string | undefined): number {
  if (data === undefined) return 1;
  const document = Buffer.from(data, 'base64').toString('latin1');
  const pages = document.match(/\/Type\s*\/Page(?![a-zA-Z])/g)?.length ?? 0;
  return Math.max(pages, largestCount(document)) || Math.ceil(document.length / BYTES_PER_PAGE);
}

/** The root of the page tree has the total count. */
function largestCount(document: string): number {
  let largest = 0;
  for (const [, count] of document.matchAll(/\/Type\s*\/Pages\b[^>]{0,300}?\/Count\s+(\d{1,6})/g)) {
    largest = Math.max(largest, Number(count));
  }
  return largest;
}

function secondsOf(data: string | undefined, usualRate: number): number {
  if (data === undefined) return 60;
  const header = Buffer.from(data.slice(0, 64), 'base64');
  const isWave = header.length >= 32 && header.toString('latin1', 0, 4) === 'RIFF';
  const rate = isWave ? header.readUInt32LE(28) || usualRate : usualRate;
  return (data.length * 0.75) / rate;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The size in pixels from the header of a PNG, JPEG, GIF or WebP. Undefined if the header does not contain it. */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes);
  return size && size.width > 0 && size.height > 0 ? size : undefined;
}

function pngSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 4) !== 'GIF8') return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** The frame header follows any number of segments, each with its length. */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

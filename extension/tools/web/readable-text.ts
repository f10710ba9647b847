import { TextDecoder } from 'node:util';
import type { Part } from '@google/genai';
import { looksBinary } from '../../files/text-codec.ts';
import { detectFileType } from '../files/file-type.ts';
import { htmlToReadable } from './readable-html.ts';

export interface Page {
  readonly url: URL;
  /** The content type as the server sent it. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly isCut: boolean;
}

export type Readable =
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'media'; readonly part: Part; readonly mimeType: string }
  /** Content that a model can't read. `note` tells the model what it is. */
  | { readonly kind: 'other'; readonly note: string };

const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

const LOOKS_LIKE_HTML = /^\s*<(?:!doctype html|html|head|body)\b/i;

/** Converts a response to something that a model can read. */
export async function toReadable({ url, contentType, body, isCut }: Page): Promise<Readable> {
  const mimeType = mimeTypeOf(contentType);
  const media = mediaOf(mimeType, body);
  if (media !== undefined && isCut) return { kind: 'other', note: `${media} that is too large to be shown` };
  if (media !== undefined) {
    return { kind: 'media', mimeType: media, part: { inlineData: { mimeType: media, data: body.toString('base64') } } };
  }
  const isText = mimeType.startsWith('text/') || HTML_TYPES.has(mimeType);
  // UTF-16 without a byte order mark is full of NULs, so it only counts as text if the server declares it as such.
  if (looksBinary(body) && !(isText && hasWideCharset(contentType))) {
    return { kind: 'other', note: `binary content (${mimeType || 'unknown type'}, ${body.length} bytes)` };
  }
  const text = decodePage(body, contentType);
  const isHtml = HTML_TYPES.has(mimeType) || (mimeType === '' && LOOKS_LIKE_HTML.test(text));
  if (!isHtml) return { kind: 'text', text, isCut };
  const readable = await htmlToReadable(text, url);
  return { kind: 'text', text: readable.text, isCut: isCut || readable.isCut };
}

/** The content decides, as for files: a file that only claims to be an image fails this and every later request. */
function mediaOf(mimeType: string, body: Buffer): string | undefined {
  const name = mimeType.startsWith('image/') ? 'page.png' : mimeType === 'application/pdf' ? 'page.pdf' : undefined;
  const type = name === undefined ? undefined : detectFileType(name, body);
  return type !== undefined && 'mimeType' in type ? type.mimeType : undefined;
}

/** Empty if it is not a valid MIME type: it is shown, so the server must not be able to write a sentence here. */
function mimeTypeOf(contentType = ''): string {
  const [type = ''] = contentType.split(';');
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.exec(type.trim())?.[0].toLowerCase() ?? '';
}

function hasWideCharset(contentType = ''): boolean {
  return /charset\s*=\s*["']?utf-?16/i.test(contentType);
}

/**
 * HTML looks for a `meta` element with the charset in the same range
 * (https://html.spec.whatwg.org/#prescan-a-byte-stream).
 */
const META_RANGE = 1024;

/**
 * Uses the byte order mark, then the header, then `meta`. Otherwise UTF-8 if valid, or the encoding of the web's oldest
 * pages.
 */
function decodePage(body: Buffer, contentType: string | undefined): string {
  const named = markedCharset(body) ?? charsetIn(contentType) ?? metaCharset(body);
  const decoder = decoderFor(named);
  if (decoder) return decoder.decode(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

function markedCharset(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined;
}

function charsetIn(text = ''): string | undefined {
  return /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(text)?.[1];
}

/** Text that is readable as ASCII is not UTF-16, whatever it declares. */
function metaCharset(body: Buffer): string | undefined {
  const meta = /<meta\b[^>]{0,500}/i.exec(body.toString('latin1', 0, META_RANGE))?.[0];
  const charset = charsetIn(meta);
  return charset?.toLowerCase().startsWith('utf-16') ? 'utf-8' : charset;
}

function decoderFor(charset: string | undefined): TextDecoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

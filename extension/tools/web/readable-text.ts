import type { Part } from '@google/genai';
import { looksBinary } from '../../files/text-codec.ts';
import { detectFileType } from '../files/file-type.ts';
import { decodePage } from './page-charset.ts';
import { htmlToReadable } from './readable-html.ts';

export interface Page {
  readonly url: URL;
  /** As the server sent it. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly isCut: boolean;
}

export type Readable =
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'media'; readonly part: Part; readonly mimeType: string }
  /** Nothing a model can read; what it is, for the model. */
  | { readonly kind: 'other'; readonly note: string };

const HTML_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

const LOOKS_LIKE_HTML = /^\s*<(?:!doctype html|html|head|body)\b/i;

/** What a model can make of an answer. */
export async function toReadable({ url, contentType, body, isCut }: Page): Promise<Readable> {
  const mimeType = mimeTypeOf(contentType);
  const media = mediaOf(mimeType, body);
  if (media !== undefined && isCut) return { kind: 'other', note: `${media} that is too large to be shown` };
  if (media !== undefined) {
    return { kind: 'media', mimeType: media, part: { inlineData: { mimeType: media, data: body.toString('base64') } } };
  }
  const isText = mimeType.startsWith('text/') || HTML_TYPES.has(mimeType);
  // UTF-16 without a mark is full of NULs: only what says that it is text is taken for it then.
  if (looksBinary(body) && !(isText && hasWideCharset(contentType))) {
    return { kind: 'other', note: `binary content (${mimeType || 'unknown type'}, ${body.length} bytes)` };
  }
  const text = decodePage(body, contentType);
  const isHtml = HTML_TYPES.has(mimeType) || (mimeType === '' && LOOKS_LIKE_HTML.test(text));
  if (!isHtml) return { kind: 'text', text, isCut };
  const readable = await htmlToReadable(text, url);
  return { kind: 'text', text: readable.text, isCut: isCut || readable.isCut };
}

/** The content decides, as for files: an image that is none would spoil this and every later request. */
function mediaOf(mimeType: string, body: Buffer): string | undefined {
  const name = mimeType.startsWith('image/') ? 'page.png' : mimeType === 'application/pdf' ? 'page.pdf' : undefined;
  const type = name === undefined ? undefined : detectFileType(name, body);
  return type !== undefined && 'mimeType' in type ? type.mimeType : undefined;
}

/** Empty when it is none: it is shown, so the server must not be able to write a sentence here. */
function mimeTypeOf(contentType = ''): string {
  const [type = ''] = contentType.split(';');
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.exec(type.trim())?.[0].toLowerCase() ?? '';
}

function hasWideCharset(contentType = ''): boolean {
  return /charset\s*=\s*["']?utf-?16/i.test(contentType);
}

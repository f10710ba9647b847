import { extname } from 'node:path';
import { looksBinary } from '../../files/text-codec.ts';

export type FileType =
  | { readonly kind: 'text' | 'svg' | 'binary' }
  | { readonly kind: 'image' | 'pdf' | 'audio' | 'video'; readonly mimeType: string };

/** MIME tables list `.ts` as an MPEG stream, but here it is always TypeScript. */
const ALWAYS_TEXT: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts']);

const AUDIO_AND_VIDEO: ReadonlyMap<string, FileType> = new Map([
  ['.mp3', { kind: 'audio', mimeType: 'audio/mpeg' }],
  ['.wav', { kind: 'audio', mimeType: 'audio/wav' }],
  ['.aif', { kind: 'audio', mimeType: 'audio/aiff' }],
  ['.aiff', { kind: 'audio', mimeType: 'audio/aiff' }],
  ['.aac', { kind: 'audio', mimeType: 'audio/aac' }],
  ['.ogg', { kind: 'audio', mimeType: 'audio/ogg' }],
  ['.flac', { kind: 'audio', mimeType: 'audio/flac' }],
  ['.mp4', { kind: 'video', mimeType: 'video/mp4' }],
  ['.mpeg', { kind: 'video', mimeType: 'video/mpeg' }],
  ['.mpg', { kind: 'video', mimeType: 'video/mpg' }],
  ['.mov', { kind: 'video', mimeType: 'video/quicktime' }],
  ['.avi', { kind: 'video', mimeType: 'video/avi' }],
  ['.flv', { kind: 'video', mimeType: 'video/x-flv' }],
  ['.webm', { kind: 'video', mimeType: 'video/webm' }],
  ['.wmv', { kind: 'video', mimeType: 'video/wmv' }],
  ['.3gp', { kind: 'video', mimeType: 'video/3gpp' }],
]);

const IMAGE_EXTENSIONS: ReadonlySet<string> = new Set(['.png', '.jpg', '.jpeg', '.webp', '.heic', '.heif']);

/**
 * The image formats that Gemini accepts (https://ai.google.dev/gemini-api/docs/image-understanding#supported-formats).
 * Another format, or a wrong extension, fails with a 400 for this request and for every later request with the image in
 * its history, so the content decides, not the name.
 */
const IMAGE_SIGNATURES: readonly { readonly mimeType: string; readonly at: number; readonly text: string }[] = [
  { mimeType: 'image/png', at: 0, text: '\x89PNG\r\n\x1a\n' },
  { mimeType: 'image/jpeg', at: 0, text: '\xff\xd8\xff' },
  { mimeType: 'image/webp', at: 8, text: 'WEBP' },
  { mimeType: 'image/heic', at: 4, text: 'ftyphei' },
  { mimeType: 'image/heic', at: 4, text: 'ftyphev' },
  { mimeType: 'image/heif', at: 4, text: 'ftypmif1' },
  { mimeType: 'image/heif', at: 4, text: 'ftypmsf1' },
];

/** PDF readers accept the header anywhere in the first KB. */
const PDF_HEADER_RANGE = 1024;

/** `head` contains the first SNIFF_BYTES of the file, or all of it if the file is shorter. */
export function detectFileType(path: string, head: Uint8Array): FileType {
  const extension = extname(path).toLowerCase();
  if (head.length === 0 || ALWAYS_TEXT.has(extension)) return { kind: 'text' };
  const start = Buffer.from(head.subarray(0, PDF_HEADER_RANGE)).toString('latin1');
  if (extension === '.pdf' && start.includes('%PDF-')) return { kind: 'pdf', mimeType: 'application/pdf' };
  // Includes Git LFS pointers, a few lines of text in place of a media file that wasn't fetched.
  if (!looksBinary(head)) return { kind: extension === '.svg' ? 'svg' : 'text' };
  if (IMAGE_EXTENSIONS.has(extension)) return imageType(start);
  return AUDIO_AND_VIDEO.get(extension) ?? { kind: 'binary' };
}

function imageType(start: string): FileType {
  const signature = IMAGE_SIGNATURES.find(({ text, at }) => start.startsWith(text, at));
  return signature ? { kind: 'image', mimeType: signature.mimeType } : { kind: 'binary' };
}

import { decodeExactly, looksBinary } from '../files/text-codec.ts';
import type { ContentPart } from '../protocol/agent/content-part.ts';
import { ProblemError } from '../protocol/agent/problem.ts';
import { attachmentPart, mediaPart } from '../protocol/agent/reference-parts.ts';
import { mediaTypeOf } from '../text/media-type.ts';
import type { AttachedMedia } from './attached.ts';
import { MAX_ATTACHED_BYTES, MAX_MEDIA_BYTES } from './attached-size.ts';

/** The piped input of the command line, next to a prompt. It is data, not the user's own words. */
export type PipedInput = { readonly text: string } | AttachedMedia;

const MEGABYTE = 1024 * 1024;

/** Throws a `ProblemError` for data that no model can read. */
export function pipedInput(bytes: Uint8Array): PipedInput {
  const given = givenBytes(bytes);
  if (!given) {
    throw refused(
      'bad-input',
      'The piped input cannot be used',
      'It is neither text in UTF-8 nor a PNG, JPEG, WebP or HEIC image nor a PDF. Nothing was sent. Text in another ' +
        'encoding can be converted, for example with iconv -f LATIN1 -t UTF-8.',
    );
  }
  return 'text' in given ? { text: given.text.replace(/(\r?\n)+$/, '') } : given;
}

/** Throws a `ProblemError` if the input is too large for a message. */
export function pipedPart(input: PipedInput): ContentPart {
  const about = { id: 'stdin', label: 'stdin' };
  if ('text' in input) {
    checkSize(Buffer.byteLength(input.text), MAX_ATTACHED_BYTES);
    return attachmentPart({ ...about, kind: 'piped' }, input.text);
  }
  checkSize(Buffer.byteLength(input.data, 'base64'), MAX_MEDIA_BYTES);
  const kind = input.mimeType.startsWith('image/') ? 'image' : 'document';
  return mediaPart({ ...about, kind }, input.data, input.mimeType);
}

function checkSize(bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw refused(
    'message-too-large',
    `The piped input is too large (${(bytes / MEGABYTE).toFixed(1)} MB)`,
    `Up to ${limit / MEGABYTE} MB fit beside a prompt. Nothing was sent. Pipe in less, or save it as a file in the folder and ask Gantry to read it.`,
  );
}

function refused(kind: 'bad-input' | 'message-too-large', title: string, detail: string): ProblemError {
  return new ProblemError({ kind, title, detail, actions: [] });
}

/**
 * Converts bytes without a file name to text, or to an image or document recognized by its first bytes. Undefined for
 * anything else, which would be garbage as text.
 */
export function givenBytes(bytes: Uint8Array): { readonly text: string } | AttachedMedia | undefined {
  const mimeType = mediaTypeOf(bytes);
  if (mimeType !== undefined) return { data: Buffer.from(bytes).toString('base64'), mimeType };
  const decoded = looksBinary(bytes) ? undefined : decodeExactly(bytes);
  return decoded === undefined || decoded.text.includes('\0') ? undefined : { text: decoded.text };
}

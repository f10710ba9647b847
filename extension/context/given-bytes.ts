import { decodeExactly, looksBinary } from '../files/text-codec.ts';
import { mediaTypeOf } from '../text/media-type.ts';
import type { AttachedMedia } from './attached-media.ts';

/**
 * Bytes that came without a name, as a model can take them: text, or a picture or document by its first bytes. Undefined
 * for anything else: read as text it would be characters that nobody wrote.
 */
export function givenBytes(bytes: Uint8Array): { readonly text: string } | AttachedMedia | undefined {
  const mimeType = mediaTypeOf(bytes);
  if (mimeType !== undefined) return { data: Buffer.from(bytes).toString('base64'), mimeType };
  const decoded = looksBinary(bytes) ? undefined : decodeExactly(bytes);
  return decoded === undefined || decoded.text.includes('\0') ? undefined : { text: decoded.text };
}

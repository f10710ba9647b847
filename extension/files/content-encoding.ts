import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Passes on what has arrived so far, and takes a truncated text for its beginning, as browsers do. */
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

/** Decodes the body of a response with this `content-encoding`. Undefined if there is nothing to decode. */
export function contentDecoder(encoding = 'identity'): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip(LENIENT);
    case 'br':
      return createBrotliDecompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      });
    case 'deflate':
      return createInflate(LENIENT);
    default:
      // This includes several encodings on top of each other, which no legitimate server uses.
      throw new Error(`The response has an unknown content encoding (${encoding.slice(0, 40)}).`);
  }
}

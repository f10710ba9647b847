import type { IncomingMessage } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What we can undo. Sent with every request. */
export const ACCEPTED_ENCODINGS = 'gzip, br, deflate';

export interface Body {
  readonly bytes: Buffer;
  /** There was more than the limit. */
  readonly isCut: boolean;
}

/**
 * The body as the page meant it, at most `limit` bytes. The limit is on what comes out, so that a few kilobytes cannot
 * become gigabytes, and on what comes in, because a stream can continue for ever without anything coming out.
 */
export async function readBody(response: IncomingMessage, limit: number): Promise<Body> {
  const decoder = decoderFor(response.headers['content-encoding']);
  const source = decoder ? pipeline(response, decoder, () => undefined) : response;
  let received = 0;
  if (decoder) {
    response.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > limit) response.destroy(new Error('The compressed page is too large.'));
    });
  }
  const chunks: Buffer[] = [];
  let length = 0;
  // Leaving the loop destroys the source, and with it the connection.
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes.subarray(0, limit - length));
    length += bytes.length;
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(chunks), isCut: length > limit };
}

/** A page that ends too early is still worth reading, as in browsers. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

function decoderFor(encoding = 'identity'): Transform | undefined {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip(LENIENT);
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'deflate':
      return createInflate(LENIENT);
    default:
      // Also several encodings on top of each other, which no honest server uses.
      throw new Error(`The page has an unknown content encoding (${encoding.slice(0, 40)}).`);
  }
}

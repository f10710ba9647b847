import { ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { pipeline, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { orThrowAborted } from '../../base/abort.ts';
import { errorText } from '../../base/errors.ts';
import { connectPinned, type Resolve, resolveWithSystem } from './pinned-socket.ts';
import { isPublicAddress } from './public-address.ts';
import { bareHost, hostProblem, isSameSite, parseWebUrl } from './web-url.ts';

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** HEAD asks for no body and follows nothing. */
  readonly method?: 'GET' | 'HEAD';
}

export type FetchOutcome =
  | {
      readonly kind: 'response';
      /** Where the answer came from, after redirects. */
      readonly url: URL;
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      /** The body was longer than the limit. */
      readonly isCut: boolean;
    }
  /** It leads to another site, which nobody has approved. Not followed. */
  | { readonly kind: 'redirect'; readonly url: URL; readonly status: number; readonly location: URL }
  | { readonly kind: 'failed'; readonly reason: FetchFailure; readonly message: string };

export type FetchFailure = 'refused' | 'cancelled' | 'timeout' | 'network';

export type PinnedFetch = (url: URL, options: FetchOptions) => Promise<FetchOutcome>;

export interface FetchLimits {
  /** Until the headers of the answer are there. */
  readonly firstByteMs: number;
  /** For all of it, redirects included. */
  readonly wholeMs: number;
  readonly bytes: number;
  readonly redirects: number;
}

export interface FetchParts {
  readonly resolve: Resolve;
  readonly isAllowed: (address: string) => boolean;
  readonly limits: FetchLimits;
  /** A certificate to trust instead of the system's. */
  readonly ca?: string;
}

const LIMITS: FetchLimits = { firstByteMs: 10_000, wholeMs: 30_000, bytes: 10 * 1024 * 1024, redirects: 5 };

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The one way to the web. A host is looked up once, all its addresses must be public, and the connection goes to one
 * of exactly these: a name that means something else a moment later changes nothing. Each redirect is a new request
 * and checked like the first. Nothing of the user's goes along: no cookies, no credentials, no referrer.
 *
 * Proxies are not used, neither from the environment nor from VS Code (which replaces `http.request`, hence our own
 * sockets): a proxy looks names up itself, and what it reaches could not be checked. Where there is no other way out,
 * the fetch fails and says that it could not connect.
 */
export function createPinnedFetch(parts: Partial<FetchParts> = {}): PinnedFetch {
  const fetcher = new Fetcher({ resolve: resolveWithSystem, isAllowed: isPublicAddress, limits: LIMITS, ...parts });
  return (url, options) => fetcher.fetch(url, options);
}

class Refusal extends Error {}

class Fetcher {
  constructor(private readonly parts: FetchParts) {}

  async fetch(start: URL, options: FetchOptions): Promise<FetchOutcome> {
    const { wholeMs } = this.parts.limits;
    const deadline = AbortSignal.timeout(wholeMs);
    const signal = AbortSignal.any([options.signal, deadline]);
    try {
      return await this.follow(start, options.method ?? 'GET', signal);
    } catch (error) {
      if (error instanceof Refusal) return failed('refused', error.message);
      if (options.signal.aborted) return failed('cancelled', 'Cancelled.');
      if (deadline.aborted) return failed('timeout', `It took longer than ${wholeMs / 1000} seconds.`);
      if (isTimeout(error)) return failed('timeout', 'The server did not answer in time.');
      return failed('network', errorText(error));
    }
  }

  private async follow(start: URL, method: 'GET' | 'HEAD', signal: AbortSignal): Promise<FetchOutcome> {
    let url = start;
    for (let hop = 0; hop <= this.parts.limits.redirects; hop++) {
      const response = await this.request(url, method, signal);
      try {
        const status = response.statusCode ?? 0;
        const location = REDIRECTS.has(status) ? response.headers.location : undefined;
        if (location === undefined) return await this.answer(url, response, status, method);
        const next = this.target(location, url);
        if (method === 'HEAD' || !isSameSite(url, next)) return { kind: 'redirect', url, status, location: next };
        url = next;
      } finally {
        response.destroy();
      }
    }
    throw new Refusal(`It redirects more than ${this.parts.limits.redirects} times.`);
  }

  private async answer(url: URL, response: IncomingMessage, status: number, method: string): Promise<FetchOutcome> {
    const { headers } = response;
    if (method === 'HEAD') return { kind: 'response', url, status, headers, body: Buffer.alloc(0), isCut: false };
    const { bytes, isCut } = await readBody(response, this.parts.limits.bytes);
    return { kind: 'response', url, status, headers, body: bytes, isCut };
  }

  private target(location: string, from: URL): URL {
    const parsed = parseWebUrl(location, from);
    const problem = 'problem' in parsed ? parsed.problem : hostProblem(parsed.url, this.parts.isAllowed);
    if ('problem' in parsed || problem !== undefined)
      throw new Refusal(`It redirects to where we do not go. ${problem}`);
    return parsed.url;
  }

  private async request(url: URL, method: string, signal: AbortSignal): Promise<IncomingMessage> {
    const parsed = parseWebUrl(url.href);
    const problem = 'problem' in parsed ? parsed.problem : hostProblem(url, this.parts.isAllowed);
    if (problem !== undefined) throw new Refusal(problem);
    const firstByte = AbortSignal.any([signal, AbortSignal.timeout(this.parts.limits.firstByteMs)]);
    const addresses = await orThrowAborted(this.addressesOf(url), firstByte);
    return send(url, method, addresses, signal, firstByte, this.parts.ca);
  }

  private async addressesOf(url: URL): Promise<readonly string[]> {
    const host = bareHost(url);
    const addresses = isIP(host) === 0 ? await this.parts.resolve(host) : [host];
    if (addresses.length === 0) throw new Error(`${host} has no address.`);
    const isSafe = addresses.every((address) => this.parts.isAllowed(address));
    if (!isSafe) throw new Refusal(`${host} is not on the public internet. Only public web pages can be fetched.`);
    return addresses;
  }
}

/** Resolves with the headers; until then `firstByte` ends it, afterwards only `signal`. */
function send(
  url: URL,
  method: string,
  addresses: readonly string[],
  signal: AbortSignal,
  firstByte: AbortSignal,
  ca: string | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    firstByte.throwIfAborted();
    const request = new ClientRequest({
      // The socket may be a TLS one; for the request that makes no difference.
      protocol: 'http:',
      method,
      path: `${url.pathname}${url.search}`,
      setHost: false,
      headers: {
        host: url.host,
        'user-agent': 'Gantry (coding agent)',
        accept: 'text/html,application/xhtml+xml,text/markdown,text/plain,application/json;q=0.9,*/*;q=0.8',
        'accept-encoding': ACCEPTED_ENCODINGS,
      },
      createConnection: () => connectPinned(url, addresses, ca),
      signal,
    });
    const giveUp = (): void => void request.destroy(abortError(firstByte));
    firstByte.addEventListener('abort', giveUp, { once: true });
    request.on('error', reject);
    request.on('response', (response) => {
      firstByte.removeEventListener('abort', giveUp);
      resolve(response);
    });
    request.end();
  });
}

function abortError({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error('Aborted');
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function failed(reason: FetchFailure, message: string): FetchOutcome {
  return { kind: 'failed', reason, message };
}

/** What we can undo. Sent with every request. */
const ACCEPTED_ENCODINGS = 'gzip, br, deflate';

interface Body {
  readonly bytes: Buffer;
  /** There was more than the limit. */
  readonly isCut: boolean;
}

/**
 * The body as the page meant it, at most `limit` bytes. The limit is on what comes out, so that a few kilobytes cannot
 * become gigabytes, and on what comes in, because a stream can continue for ever without anything coming out.
 */
async function readBody(response: IncomingMessage, limit: number): Promise<Body> {
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

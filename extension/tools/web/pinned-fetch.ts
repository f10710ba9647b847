import { ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { pipeline } from 'node:stream';
import { orThrowAborted } from '../../base/abort.ts';
import { errorText } from '../../base/errors.ts';
import { contentDecoder } from '../../files/content-encoding.ts';
import { connectPinned, type Resolve, resolveWithSystem } from './pinned-socket.ts';
import { isPublicAddress } from './public-address.ts';
import { bareHost, hostProblem, isSameSite, parseWebUrl } from './web-url.ts';

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** HEAD requests no body and follows no redirects. */
  readonly method?: 'GET' | 'HEAD';
}

export type FetchOutcome =
  | {
      readonly kind: 'response';
      /** The URL of the response, after redirects. */
      readonly url: URL;
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: Buffer;
      /** The body was longer than the limit. */
      readonly isCut: boolean;
    }
  /** A redirect to another site, which the user hasn't approved. It is not followed. */
  | { readonly kind: 'redirect'; readonly url: URL; readonly status: number; readonly location: URL }
  | { readonly kind: 'failed'; readonly reason: FetchFailure; readonly message: string };

export type FetchFailure = 'refused' | 'cancelled' | 'timeout' | 'network';

export type PinnedFetch = (url: URL, options: FetchOptions) => Promise<FetchOutcome>;

export interface FetchLimits {
  /** The time limit until the headers of the response arrive. */
  readonly firstByteMs: number;
  /** The time limit for the whole request, including redirects. */
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
 * The only way to the web. A host is resolved once, all of its addresses must be public, and the connection goes to one
 * of exactly these, so a name that resolves differently a moment later changes nothing. Each redirect is a new request
 * and checked like the first. No data of the user is sent: no cookies, no credentials, no referrer.
 *
 * Proxies are not used, neither from the environment nor from VS Code (which replaces `http.request`, hence our own
 * sockets): a proxy resolves names itself, so the address that it reaches couldn't be checked. If a proxy is the only
 * way out, the fetch fails and reports that it couldn't connect.
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

/** Resolves with the headers. Until then, `firstByte` can abort the request; afterwards, only `signal` can. */
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
      // The socket may use TLS, which makes no difference for the request.
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

/** The encodings that we can decode. Sent with every request. */
const ACCEPTED_ENCODINGS = 'gzip, br, deflate';

interface Body {
  readonly bytes: Buffer;
  /** The body was longer than the limit. */
  readonly isCut: boolean;
}

/**
 * The decoded body, at most `limit` bytes. The limit applies to the output, so that a few kilobytes can't become
 * gigabytes, and to the input, because a stream can continue forever without any output.
 */
async function readBody(response: IncomingMessage, limit: number): Promise<Body> {
  const decoder = contentDecoder(response.headers['content-encoding']);
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
  // Leaving the loop destroys the source and thereby the connection.
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes.subarray(0, limit - length));
    length += bytes.length;
    if (length > limit) break;
  }
  return { bytes: Buffer.concat(chunks), isCut: length > limit };
}

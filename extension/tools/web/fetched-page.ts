import type { IncomingHttpHeaders } from 'node:http';
import { errorText } from '../../base/errors.ts';
import { LruMap } from '../../base/lru-map.ts';
import { RequestRate } from '../../base/request-rate.ts';
import type { FetchOutcome, PinnedFetch } from './pinned-fetch.ts';
import { type Readable, toReadable } from './readable-text.ts';

export type FetchedPage =
  | {
      readonly kind: 'page';
      /** The requested URL. */
      readonly url: URL;
      /** The URL of the page after redirects. */
      readonly source: URL;
      readonly status: number;
      readonly content: Readable;
    }
  | { readonly kind: 'redirect'; readonly url: URL; readonly location: string }
  | { readonly kind: 'failed'; readonly url: URL; readonly message: string };

/** Pages that may be requested per host and minute, so that an agent in a loop doesn't overload a server. */
const PER_MINUTE = 10;
const MAX_HOSTS = 1000;

/** The beginning of a failed response says what went wrong. */
const MAX_FAILURE_CHARS = 10_000;

/** The requests to each host. */
export class HostRates {
  private readonly rates = new LruMap<RequestRate>(MAX_HOSTS);

  constructor(private readonly now: () => number = Date.now) {}

  /** Counts a request to this host, or says after how many milliseconds the next one is allowed. */
  take(host: string): number | undefined {
    const rate = this.rates.get(host) ?? new RequestRate(PER_MINUTE, 60_000, this.now);
    this.rates.set(host, rate);
    return rate.take();
  }
}

export async function fetchPage(
  url: URL,
  fetch: PinnedFetch,
  rates: HostRates,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const waitMs = rates.take(url.hostname);
  if (waitMs !== undefined) {
    const message = `Too many requests to ${url.hostname}. Try again in ${Math.ceil(waitMs / 1000)} seconds.`;
    return { kind: 'failed', url, message };
  }
  const outcome = await fetch(url, { signal });
  switch (outcome.kind) {
    case 'failed':
      return { kind: 'failed', url, message: outcome.message };
    case 'redirect':
      return { kind: 'redirect', url, location: outcome.location.href };
    case 'response':
      return readPage(url, outcome);
  }
}

async function readPage(url: URL, response: Extract<FetchOutcome, { kind: 'response' }>): Promise<FetchedPage> {
  const { status, headers, body, isCut, url: source } = response;
  try {
    const content = await toReadable({ url: source, contentType: headers['content-type'], body, isCut });
    return { kind: 'page', url, source, status, content: status >= 400 ? asFailure(headers, content) : content };
  } catch (error) {
    const detail = errorText(error);
    return { kind: 'failed', url, message: `The page could not be read: ${detail}` };
  }
}

function asFailure(headers: IncomingHttpHeaders, content: Readable): Readable {
  const { 'set-cookie': _, ...shown } = headers;
  const lines = Object.entries(shown).map(([name, value]) => `${name}: ${value}`);
  const body = content.kind === 'text' ? content.text : '';
  return {
    kind: 'text',
    text: `${lines.join('\n')}\n\n${body.slice(0, MAX_FAILURE_CHARS)}`,
    isCut: body.length > MAX_FAILURE_CHARS,
  };
}

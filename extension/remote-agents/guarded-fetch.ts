import { errorText } from '../base/errors.ts';
import { limitedBytes } from '../mcp/limited-fetch.ts';
import { MAX_SERVER_MESSAGE_BYTES } from '../mcp/message-limit.ts';
import { carriesKeyInTheClear } from '../model/base-url.ts';
import type { Alarm } from '../ports/clock.ts';
import { RemoteFailure } from './remote-failure.ts';

/** Headers with credentials for an address; undefined if it needs none. `renew` is set after they were refused. */
export type Credentials = (url: URL, options: { readonly renew: boolean }) => Promise<Headers | undefined>;

export interface FetchGuards {
  readonly alarm: Alarm;
  readonly credentials: Credentials;
  /** Names the span that the requests belong to. Undefined while telemetry is off. */
  readonly traceparent?: (() => string | undefined) | undefined;
}

/** An agent that works sends at least comments that keep the connection open. */
const IDLE_MS = 120_000;

const MAX_MB = MAX_SERVER_MESSAGE_BYTES / 1024 / 1024;

/**
 * Fetches from a remote agent: follows no redirect, limits the size of what is read at once and the time in which
 * nothing comes, and adds the credentials. What isn't A2A fails with a `RemoteFailure` that says what came.
 */
export function guardedFetch({ alarm, credentials, traceparent }: FetchGuards): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    requireHttp(url);
    const silence = new Silence(alarm, url.host, init.signal ?? undefined);
    const send = async (secret: Headers | undefined): Promise<Response> => {
      if (secret && carriesKeyInTheClear(url.href))
        throw new RemoteFailure(
          'credentials',
          `${url.host} is not reached over https, so no credentials are sent there.`,
        );
      const headers = new Headers(init.headers);
      const trace = traceparent?.();
      if (trace !== undefined) headers.set('traceparent', trace);
      secret?.forEach((value, name) => {
        headers.set(name, value);
      });
      const request = fetch(url, { ...init, headers, redirect: 'manual', signal: silence.signal });
      return silence.during(request.catch((error: unknown) => fail(error, url, silence)));
    };
    const secret = await credentials(url, { renew: false });
    let response = await send(secret);
    if (response.status === 401 || response.status === 403) {
      await response.body?.cancel();
      const renewed = await credentials(url, { renew: true });
      // Nothing was accepted, so sending it again sends nothing twice.
      if (renewed) response = await send(renewed);
    }
    await requireAnswer(response, url);
    return response.body ? guarded(response, url, silence) : response;
  };
}

function requireHttp({ protocol, href, username, password }: URL): void {
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new RemoteFailure('unreachable', `${href} is not an http or https address.`);
  if (username || password) throw new RemoteFailure('credentials', 'Its address contains a user name or a password.');
}

async function requireAnswer(response: Response, { host }: URL): Promise<void> {
  const { status, headers } = response;
  const problem =
    problemOfStatus(status, host, headers.get('location')) ??
    problemOfType(headers.get('content-type') ?? '', host, status);
  if (!problem) return;
  await response.body?.cancel();
  throw problem;
}

function problemOfStatus(status: number, host: string, location: string | null): RemoteFailure | undefined {
  if (status === 401) return new RemoteFailure('refused', `${host} wants other credentials (HTTP 401).`);
  if (status === 403) return new RemoteFailure('refused', `${host} does not allow this (HTTP 403).`);
  if (status < 300 || status > 399) return undefined;
  const where = location === null ? '' : ` to ${location.slice(0, 200)}`;
  return new RemoteFailure('redirect', `${host} redirects${where} (HTTP ${status}), and no redirect is followed.`);
}

function problemOfType(type: string, host: string, status: number): RemoteFailure | undefined {
  if (!/^text\/html\b/i.test(type)) return undefined;
  return new RemoteFailure('not-a2a', `${host} answered with a web page (HTTP ${status}) and not with A2A.`);
}

function guarded(response: Response, url: URL, silence: Silence): Response {
  const { status, statusText, headers } = response;
  const isStream = /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
  let tooLarge: RemoteFailure | undefined;
  const limit = limitedBytes(isStream, () => {
    tooLarge = new RemoteFailure('too-large', `${url.host} sent more than ${MAX_MB} MB at once.`);
  });
  const reader = response.body?.pipeThrough(limit).getReader();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = reader?.read().catch((error: unknown) => fail(tooLarge ?? error, url, silence, 'cut'));
      const { done, value } = (next && (await silence.during(next))) ?? { done: true, value: undefined };
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return new Response(body, { status, statusText, headers });
}

function fail(error: unknown, { host }: URL, silence: Silence, kind: 'unreachable' | 'cut' = 'unreachable'): never {
  if (error instanceof RemoteFailure) throw error;
  if (silence.signal.reason instanceof RemoteFailure) throw silence.signal.reason;
  if (silence.signal.aborted) throw silence.signal.reason;
  const text = errorText(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : text;
  throw new RemoteFailure(kind, `The connection to ${host} failed: ${cause || text}.`, { cause: error });
}

/** Ends a request when nothing came for too long, or when the caller's signal fires. */
class Silence {
  private readonly over = new AbortController();
  readonly signal: AbortSignal;

  constructor(
    private readonly alarm: Alarm,
    private readonly host: string,
    caller: AbortSignal | undefined,
  ) {
    this.signal = caller ? AbortSignal.any([caller, this.over.signal]) : this.over.signal;
  }

  async during<T>(work: Promise<T>): Promise<T> {
    const prevent = this.alarm(IDLE_MS, () => {
      const text = `${this.host} kept the connection open but sent nothing for ${IDLE_MS / 1000} s.`;
      this.over.abort(new RemoteFailure('silent', text));
    });
    try {
      return await work;
    } finally {
      prevent();
    }
  }
}

import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { once } from '../../base/once.ts';
import { contentDecoder } from '../../files/content-encoding.ts';
import { type Alarm, realAlarm } from '../../ports/clock.ts';
import type { HttpRequest, HttpResponse, SendHttp } from './send-http.ts';

/** The same times as in Node's fetch. */
const CONNECT_MS = 10_000;
const IDLE_MS = 4000;

type Client = Readonly<{ agent: Agent; request: typeof request }>;

/**
 * Sends with Node's HTTP client, which takes a fraction of the time of its fetch: fetch needs 20 ms to load, and for
 * each request more than a millisecond. It knows no proxies.
 */
export function createDirectSend(alarm: Alarm = realAlarm): SendHttp {
  const options = { keepAlive: true, timeout: IDLE_MS };
  const plain = once((): Client => ({ agent: new Agent(options), request }));
  // Loaded on first use, because TLS takes long to load.
  const secure = once(async (): Promise<Client> => {
    const https = await import('node:https');
    return { agent: new https.Agent(options), request: https.request };
  });
  return async (outgoing, signal) => {
    const url = new URL(outgoing.url);
    const client = url.protocol === 'https:' ? await secure() : plain();
    signal.throwIfAborted();
    return send(client, url, outgoing, signal, alarm);
  };
}

function send(
  { agent, request: start }: Client,
  url: URL,
  { method, headers, body }: HttpRequest,
  signal: AbortSignal,
  alarm: Alarm,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const pieces = typeof body === 'string' ? [Buffer.from(body)] : body;
    const length = String(pieces.reduce((sum, piece) => sum + piece.length, 0));
    const allHeaders = { ...alsoSent(url), ...headers, 'content-length': length };
    const sent = start({ ...target(url), method, agent, headers: allHeaders });
    const stop = (): void => {
      reject(signal.reason);
      sent.destroy();
    };
    signal.addEventListener('abort', stop, { once: true });
    limitConnecting(sent, alarm);
    sent.on('error', (error) => {
      signal.removeEventListener('abort', stop);
      reject(error);
    });
    sent.on('response', (response) => {
      signal.removeEventListener('abort', stop);
      try {
        resolve(new DirectResponse(response, signal));
      } catch (error) {
        response.destroy();
        reject(error);
      }
    });
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
}

function target({ hostname, port, pathname, search }: URL): RequestOptions {
  // A URL has brackets around the address of IPv6, and Node's client needs none.
  return { hostname: hostname.replace(/^\[(.*)\]$/, '$1'), port, path: `${pathname}${search}` };
}

/** Fetch sends these too. */
function alsoSent({ protocol }: URL): Readonly<Record<string, string>> {
  const encodings = protocol === 'https:' ? 'br, gzip, deflate' : 'gzip, deflate';
  return { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'accept-encoding': encodings };
}

/** Without a limit, a connection to an address that nobody has would be tried for minutes. */
function limitConnecting(sent: ClientRequest, alarm: Alarm): void {
  sent.on('socket', (socket) => {
    if (!socket.connecting) return;
    const timeout = Object.assign(new Error('Connecting took too long.'), { code: 'ETIMEDOUT' });
    const prevent = alarm(CONNECT_MS, () => sent.destroy(timeout));
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', prevent).once('close', prevent);
  });
}

class DirectResponse implements HttpResponse {
  private readonly body: Readable;
  private readonly stop = (): void => this.end(this.signal.reason);
  private isOver = false;
  private failure: unknown;
  private wake: () => void = () => undefined;

  /** Throws if the encoding of the body is unknown. */
  constructor(
    private readonly response: IncomingMessage,
    private readonly signal: AbortSignal,
  ) {
    const decoder = contentDecoder(response.headers['content-encoding']);
    this.body = decoder ? pipeline(response, decoder, () => undefined) : response;
    this.body.on('readable', () => this.wake());
    this.body.on('end', () => this.end());
    this.body.on('error', (error) => this.end(error));
    if (signal.aborted) this.stop();
    else signal.addEventListener('abort', this.stop, { once: true });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  header(name: string): string | undefined {
    const value = this.response.headers[name];
    return typeof value === 'string' ? value : undefined;
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.failure !== undefined) throw this.failure;
      const bytes: Buffer | null = this.isOver ? null : this.body.read();
      if (bytes || this.isOver) return bytes ?? undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  close(): Promise<void> {
    if (!this.isOver) this.end();
    return Promise.resolve();
  }

  /** The first end counts. A connection whose response was read completely is kept for the next request. */
  private end(failure?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failure = failure;
    this.signal.removeEventListener('abort', this.stop);
    if (!this.body.readableEnded) this.response.destroy();
    this.wake();
  }
}

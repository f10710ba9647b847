import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { RequestRate } from '../base/request-rate.ts';
import type { Logger } from '../ports/logger.ts';
import { answerTo, CHALLENGE } from '../safety/shared-token.ts';
import { CONVERSATION } from './call-facts.ts';
import { EventResponse } from './event-response.ts';
import { Guard } from './guard.ts';
import { isTooLarge, readBody } from './read-body.ts';
import type { Rpc } from './rpc.ts';

const MOST_CONNECTIONS = 64;
const MOST_PER_SECOND = 50;
/**
 * Longer than clients keep an idle connection (undici 4 s, httpx 5 s, aiohttp 15 s, Go 90 s). A server that closes one
 * while it is used again makes the request fail, and a message can't be sent twice.
 */
const IDLE_MS = 95_000;
export const CARD_PATH = '/.well-known/agent-card.json';
/** Where clients of 0.2 look for it. */
const EARLIER_CARD_PATH = '/.well-known/agent.json';

export interface Served {
  readonly rpc: Rpc;
  /** The card in the form of a version of A2A. */
  readonly card: (version: string | undefined) => Promise<object>;
  /** What a client that knows the token learns. */
  readonly health: () => object;
}

export interface HttpParts {
  readonly port: number;
  readonly token: string;
  readonly log: Logger;
}

/** The server of one machine's user: it listens where only this machine can reach it. */
export class HttpServer {
  private readonly server: Server;
  private readonly rate = new RequestRate(MOST_PER_SECOND, 1000, () => performance.now());
  private readonly sockets = new Set<Socket>();
  private guard: Guard | undefined;
  private served: Served | undefined;
  private underWay = 0;

  constructor(private readonly parts: HttpParts) {
    this.server = createServer((request, response) => this.take(request, response));
    // A client that sent "Expect: 100-continue" is checked before it sends the body.
    this.server.on('checkContinue', (request, response) => this.take(request, response, true));
    this.server.maxConnections = MOST_CONNECTIONS;
    this.server.headersTimeout = 10_000;
    this.server.keepAliveTimeout = IDLE_MS;
    // A connection was refused, because there are too many. Those that nobody uses make room for the next one.
    this.server.on('drop', () => this.server.closeIdleConnections());
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Requests that are being answered. */
  get requests(): number {
    return this.underWay;
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    const { server, parts } = this;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(parts.port, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    this.guard = new Guard(port, parts.token);
    return port;
  }

  /** Sets what answers the requests. It needs the port, so it is made after `listen`. */
  serve(served: Served): void {
    this.served = served;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private take(request: IncomingMessage, response: ServerResponse, waitsToContinue = false): void {
    this.underWay++;
    response.once('close', () => this.underWay--);
    // A client that leaves in the middle is no failure.
    response.on('error', () => undefined);
    this.answer(request, response, waitsToContinue).catch((error: unknown) => {
      this.parts.log.error('A request could not be answered', error);
      if (response.headersSent) response.destroy();
      else reply(response, 500, { error: 'Something went wrong inside Gantry.' });
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse, waitsToContinue: boolean): Promise<void> {
    const { guard, served } = this;
    if (!guard || !served) return reply(response, 503, { error: 'The server is starting.' });
    const { method = '', url = '', headers } = request;
    const { pathname } = new URL(url, 'http://localhost');
    const isPublic =
      method === 'GET' && (pathname === CARD_PATH || pathname === EARLIER_CARD_PATH || pathname === '/health');
    const refused = isPublic ? guard.refusesPlace(headers) : guard.refuses(headers);
    if (refused === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (refused) return reply(response, refused, { error: REFUSED[refused] });
    if (this.rate.take() !== undefined) {
      response.setHeader('Retry-After', '1');
      return reply(response, 429, { error: `This server answers ${MOST_PER_SECOND} requests a second.` });
    }
    if (pathname === '/health' && method === 'GET') {
      const isKnown = guard.refuses(headers) === undefined;
      const answer = answerTo(headerOf(request, CHALLENGE) ?? '', this.parts.token);
      return reply(response, 200, { status: 'ok', ...(isKnown && { ...served.health(), answer }) });
    }
    if (isPublic) {
      response.setHeader('Vary', 'A2A-Version');
      return reply(response, 200, await served.card(versionOf(request)));
    }
    if (pathname !== '/') return reply(response, 404, { error: 'There is nothing here.' });
    if (method !== 'POST') {
      response.setHeader('Allow', 'POST');
      return reply(response, 405, { error: 'Requests are sent with POST.' });
    }
    if (!/^application\/(a2a\+)?json\b/i.test(headers['content-type'] ?? '')) {
      return reply(response, 415, { error: 'The body of a request is application/json.' });
    }
    if (waitsToContinue) {
      if (isTooLarge(headers)) {
        // The body is never sent, so nothing else can follow on the connection.
        response.setHeader('Connection', 'close');
        return reply(response, 413, TOO_LARGE);
      }
      response.writeContinue();
    }
    const body = await readBody(request);
    if (body === undefined) return reply(response, 413, TOO_LARGE);
    await this.answerRpc(body, request, response, served.rpc);
  }

  private async answerRpc(body: string, request: IncomingMessage, response: ServerResponse, rpc: Rpc): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const lastEventId = headerOf(request, 'last-event-id');
    const extensions = extensionsOf(request);
    if (extensions.has(CONVERSATION)) response.setHeader('A2A-Extensions', CONVERSATION);
    const traceparent = headerOf(request, 'traceparent');
    const facts = { signal: left.signal, lastEventId, extensions, traceparent };
    const answer = await rpc.answer(body, versionOf(request), facts);
    if (answer === undefined) return reply(response, 413, TOO_LARGE);
    if (!(Symbol.asyncIterator in answer)) return reply(response, 200, answer);
    const events = new EventResponse(response);
    for await (const envelope of answer) if (!events.write(envelope)) break;
    events.end();
  }
}

const REFUSED = {
  401: 'The token is missing or wrong. It is in the file that the server named when it started.',
  403: 'Requests come from this machine, and not from a page of another site.',
} as const;

const TOO_LARGE = { error: 'The body is larger than 16 MB, or too deep.' };

function versionOf(request: IncomingMessage): string | undefined {
  return headerOf(request, 'a2a-version');
}

/** Clients of 0.3 use the other name. */
function extensionsOf(request: IncomingMessage): ReadonlySet<string> {
  const named = headerOf(request, 'a2a-extensions') ?? headerOf(request, 'x-a2a-extensions') ?? '';
  return new Set(named.split(',').map((uri) => uri.trim()));
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

function reply(response: ServerResponse, status: number, body: object): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

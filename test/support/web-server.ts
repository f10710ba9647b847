import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createNetServer, type Server as NetServer } from 'node:net';
import { createPinnedFetch, type FetchParts, type PinnedFetch } from '../../extension/tools/web/pinned-fetch.ts';

/** A real web server on this machine, which records its requests. */
export interface WebServer {
  readonly port: number;
  /** `METHOD host path`, in order. */
  readonly asked: readonly string[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** A fetch that resolves every name to this machine, and may access this machine. */
  fetchWith(changes?: Partial<FetchParts>): PinnedFetch;
  url(path?: string, host?: string): URL;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export const LOOPBACK = '127.0.0.1';

/** A port that was free a moment ago, for a server that listens on a given port. */
export async function freePort(): Promise<number> {
  const server = createNetServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function portOf(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

export async function startWebServer(answer: Answer, tls?: { key: string; cert: string }): Promise<WebServer> {
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`);
    headers.push(request.headers);
    answer(request, response);
  };
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
  const port = await portOf(server);
  return {
    port,
    asked,
    headers,
    fetchWith: (changes = {}) =>
      createPinnedFetch({
        resolve: () => Promise.resolve([LOOPBACK]),
        isAllowed: (candidate) => candidate === LOOPBACK,
        ...changes,
      }),
    url: (path = '/', host = 'site.test') => new URL(`${tls ? 'https' : 'http'}://${host}:${port}${path}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { sampleServer } from './sample-server.ts';

export interface HttpMcpServer {
  readonly url: string;
  /** The headers of all requests. */
  readonly headers: IncomingMessage['headers'][];
  /** Forgets all sessions, as a restart does. */
  forget(): void;
  dispose(): Promise<void>;
}

export interface HttpMcpOptions {
  /** Supports only the older transport: a stream of events, and a second URL for messages. */
  readonly onlyEvents?: boolean;
  /** Sends answers as plain JSON instead of a stream of events. */
  readonly asJson?: boolean;
  /** Runs before everything else. Returns true if it has answered. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
}

/** The sample server on this machine, over HTTP. */
export async function startHttpMcp(options: HttpMcpOptions = {}): Promise<HttpMcpServer> {
  const headers: IncomingMessage['headers'][] = [];
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const streams = new Map<string, SSEServerTransport>();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    headers.push(request.headers);
    if (await options.before?.(request, response)) return;
    if (options.onlyEvents) await overEvents(request, response, streams);
    else await overHttp(request, response, sessions, options.asJson ?? false);
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    headers,
    forget: () => sessions.clear(),
    dispose: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function overHttp(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, StreamableHTTPServerTransport>,
  asJson: boolean,
): Promise<void> {
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  if (known) return known.handleRequest(request, response);
  if (id !== undefined) return end(response, 404);
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: asJson,
    onsessioninitialized: (made) => void sessions.set(made, transport),
  });
  await sampleServer().connect(transport);
  await transport.handleRequest(request, response);
}

async function overEvents(
  request: IncomingMessage,
  response: ServerResponse,
  streams: Map<string, SSEServerTransport>,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  if (request.method === 'GET') {
    const transport = new SSEServerTransport('/messages', response);
    streams.set(transport.sessionId, transport);
    return sampleServer().connect(transport);
  }
  const stream = streams.get(searchParams.get('sessionId') ?? '');
  if (pathname !== '/messages' || !stream) return end(response, 404);
  await stream.handlePostMessage(request, response);
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

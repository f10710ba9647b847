import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type Deferred, deferred } from '../deferred.ts';
import { type EndpointOptions, Playbook, type RequestMatcher } from './playbook.ts';
import { play } from './player.ts';
import { type RenderedStep, renderSteps } from './render.ts';
import { parseBody, parseRoute, RecordedRequest } from './request.ts';
import { type Piece, toSteps } from './script.ts';
import { errorBody, JSON_TYPE, jsonText } from './wire.ts';

export interface GeminiEndpoint {
  /** The base URL, for `GOOGLE_GEMINI_BASE_URL` or `gantry.model.baseUrl`. */
  readonly url: string;
  /** The requests of conversations. */
  readonly requests: readonly RecordedRequest[];
  /** The requests for titles of sessions, which follow a first exchange in the background. */
  readonly titleRequests: readonly RecordedRequest[];
  /** The requests that rate a message to choose a model for it. With the model `auto`, one precedes each message. */
  readonly routeRequests: readonly RecordedRequest[];
  /** Requests to paths that the API does not have. */
  readonly notFound: readonly string[];
  /** Adds one reply that consists of these pieces. Replies are used in order. */
  reply(...pieces: readonly Piece[]): void;
  /** Adds the answer to one title request. The default is "A title". */
  replyTitle(...pieces: readonly Piece[]): void;
  /** Adds the answer to one request that rates a message. By default, messages are easy. */
  replyRoute(...pieces: readonly Piece[]): void;
  /** Answers every matching request with these pieces, before the ordered replies. */
  when(matches: RequestMatcher, ...pieces: readonly Piece[]): void;
  /** Sets the answer when no other reply is left. */
  always(...pieces: readonly Piece[]): void;
  /** The nth request, counted from 1, as soon as it has arrived. */
  waitForRequest(nth: number): Promise<RecordedRequest>;
  /** Returns and clears the problems: requests without a reply, and requests that Gemini would refuse. */
  takeProblems(): readonly string[];
  /** Throws if there was a problem or a reply was not used. */
  assertDone(): void;
  /** Clears requests, replies and problems for the next test on the same endpoint. */
  startOver(): void;
  /** Drops all connections, then throws if there was a problem. */
  dispose(): Promise<void>;
}

/** Each element of the script is one reply. */
export async function startGeminiEndpoint(
  script: readonly Piece[] = [],
  options: EndpointOptions = {},
): Promise<GeminiEndpoint> {
  const endpoint = new LoopbackEndpoint(script, options);
  await endpoint.listen();
  return endpoint;
}

class LoopbackEndpoint implements GeminiEndpoint {
  readonly requests: RecordedRequest[] = [];
  readonly titleRequests: RecordedRequest[] = [];
  readonly routeRequests: RecordedRequest[] = [];
  readonly notFound: string[] = [];
  readonly #server = createServer((message, response) => void this.#serve(message, response));
  readonly #waiting = new Map<number, Deferred<RecordedRequest>>();
  readonly #playbook: Playbook;
  #url = '';

  constructor(script: readonly Piece[], options: EndpointOptions) {
    this.#playbook = new Playbook(script, options);
    // Longer than any test: an idle connection that is closed just as the client reuses it would make tests flaky.
    this.#server.keepAliveTimeout = 600_000;
    this.#server.requestTimeout = 0;
  }

  get url(): string {
    return this.#url;
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#url = `http://127.0.0.1:${portOf(this.#server.address())}`;
  }

  reply(...pieces: readonly Piece[]): void {
    this.#playbook.enqueue(pieces);
  }

  replyTitle(...pieces: readonly Piece[]): void {
    this.#playbook.enqueueTitle(pieces);
  }

  replyRoute(...pieces: readonly Piece[]): void {
    this.#playbook.enqueueRoute(pieces);
  }

  when(matches: RequestMatcher, ...pieces: readonly Piece[]): void {
    this.#playbook.addRule(matches, pieces);
  }

  always(...pieces: readonly Piece[]): void {
    this.#playbook.setAlways(pieces);
  }

  waitForRequest(nth: number): Promise<RecordedRequest> {
    const arrived = this.requests[nth - 1];
    if (arrived) return Promise.resolve(arrived);
    const waiting = this.#waiting.get(nth) ?? deferred<RecordedRequest>();
    this.#waiting.set(nth, waiting);
    // The test may have failed elsewhere and never await this promise.
    waiting.promise.catch(() => undefined);
    return waiting.promise;
  }

  takeProblems(): readonly string[] {
    return this.#playbook.takeProblems();
  }

  assertDone(): void {
    const unused = this.#playbook.unusedReplies;
    fail([...this.takeProblems(), ...(unused > 0 ? [`${unused} scripted replies were not used`] : [])]);
  }

  startOver(): void {
    this.requests.length = 0;
    this.titleRequests.length = 0;
    this.routeRequests.length = 0;
    this.notFound.length = 0;
    this.#playbook.startOver();
  }

  async dispose(): Promise<void> {
    if (this.#server.listening) {
      const closed = once(this.#server, 'close');
      this.#server.close();
      this.#server.closeAllConnections();
      await closed;
    }
    for (const [nth, waiting] of this.#waiting) {
      waiting.reject(new Error(`The Gemini endpoint was disposed before request ${nth} came.`));
    }
    this.#waiting.clear();
    fail(this.takeProblems());
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    // Several tests have a client that leaves while the server writes.
    response.on('error', () => undefined);
    try {
      const request = await this.#receive(message, response);
      if (request) await this.#answer(request, response);
    } catch (error) {
      // A reset while the request is still being read means that the client left, not that the script failed.
      if (message.errored) return;
      this.#playbook.report(`the script failed: ${error instanceof Error ? error.message : String(error)}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The test script failed; see the problems of the endpoint.');
    }
  }

  async #receive(message: IncomingMessage, response: ServerResponse): Promise<RecordedRequest | undefined> {
    const rawBody = await readText(message);
    const { method = '', url: path = '/', headers } = message;
    const { pathname, searchParams } = new URL(path, this.#url);
    const route = method === 'POST' ? parseRoute(pathname) : undefined;
    if (!route) {
      this.notFound.push(`${method} ${path}`);
      return refuse(response, 404, `${method} ${pathname} is not a method of the Gemini API.`);
    }
    if (route.operation === 'streamGenerateContent' && searchParams.get('alt') !== 'sse') {
      return refuse(response, 400, 'The test endpoint streams with alt=sse only.');
    }
    const body = parseBody(rawBody);
    if (!body) return refuse(response, 400, 'Invalid JSON payload received.');
    return new RecordedRequest({ id: this.requests.length + 1, method, path, route, headers, rawBody, body });
  }

  async #answer(request: RecordedRequest, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      request.settle(response.writableFinished ? 'answered' : 'disconnected');
      gone.abort();
    });
    if (request.asksForTitle) this.titleRequests.push(request);
    else if (request.asksForRoute) this.routeRequests.push(request);
    else this.#welcome(request);
    const steps = renderSteps(toSteps(this.#playbook.next(request), request), request);
    for (const step of steps) this.#remember(step);
    await play(steps, request, response, gone.signal);
  }

  #remember(step: RenderedStep): void {
    const { given } = this.#playbook;
    if (step.kind === 'response' || step.kind === 'body') given.take(step.body);
    else if (step.kind === 'raw') given.takeText(Buffer.from(step.data).toString());
    else if (step.kind === 'http') given.takeText(step.body);
  }

  #welcome(request: RecordedRequest): void {
    this.requests.push(request);
    this.#waiting.get(request.id)?.resolve(request);
    this.#waiting.delete(request.id);
  }
}

function refuse(response: ServerResponse, status: number, message: string): undefined {
  response.writeHead(status, { 'content-type': JSON_TYPE }).end(jsonText(errorBody(status, message)));
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('The Gemini endpoint has no port.');
  return address.port;
}

function fail(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`Gemini endpoint: ${problems.join('; ')}`);
}

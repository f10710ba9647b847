import { type GenerateContentParameters, GoogleGenAI } from '@google/genai';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import { type Alarm, realAlarm } from '../../ports/clock.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import { parseApiError, parseSeconds, type Redact, redactor } from '../api-error.ts';
import { tokenRefusal } from '../auth/auth-problem.ts';
import type { ApiKey, BaseUrl } from '../auth/credentials.ts';
import { headerSecrets, type OwnHeaders } from '../auth/own-headers.ts';
import type { AccessToken, TokenSource } from '../auth/token-source.ts';
import { type VertexPlace, vertexBaseUrl } from '../auth/vertex-endpoint.ts';
import { GOOGLE_BASE_URL } from '../base-url.ts';
import type { AnswerChunk, ContentGenerator, CountRequest, GenerateRequest } from '../content-generator.ts';
import { parseJson } from '../json.ts';
import { type ModelFailure, ModelFailureError } from '../model-failure.ts';
import { modelProblem, problemOf } from '../model-problem.ts';
import { networkCode, PROXY_SIGN_IN } from '../network-error.ts';
import { AnswerCheck } from './answer-check.ts';
import { checkedFrame, looksLikeHtml } from './answer-frame.ts';
import { IdleTimeout, IdleTimeoutError } from './idle-timeout.ts';
import { joinedChunks } from './joined-chunks.ts';
import { RequestBodyCache, type RequestToWrite, type WholeRequest } from './request-body-cache.ts';
import { RequestWriters } from './request-writer.ts';
import { type HttpResponse, type SendHttp, sendWithFetch } from './send-http.ts';
import { EventStreamParser, ItemTooLongError, type StreamItem } from './sse.ts';

export interface GeminiEndpoint {
  readonly key?: ApiKey;
  readonly baseUrl?: BaseUrl;
  readonly headers?: OwnHeaders;
  readonly vertex?: VertexPlace;
  readonly quotaProject?: string;
}

/** The source of the tokens for requests. */
export interface Bearer {
  readonly kind: 'adc' | 'login';
  readonly tokens: TokenSource;
}

export interface GeminiParts {
  readonly bearer?: Bearer;
  /** Defaults to real time. */
  readonly alarm?: Alarm | undefined;
  /** Defaults to `fetch`. */
  readonly send?: SendHttp | undefined;
}

/** Keeps the SDK from searching the environment for a key and from loading the code for it. It is never sent. */
const NO_KEY = 'none';

/**
 * Talks to the Gemini API, Vertex AI or a compatible service. The SDK writes the request; Gantry reads the response.
 * The SDK treats an HTML page with status 200, a bare error object and a named event as empty answers, and builds a
 * `Response` for every chunk, which is most of the cost of an answer. An abort rejects with the signal's reason, any
 * other failure with a `ProblemError`. The only retry is for a token that is rejected before it expires.
 */
export class GeminiGenerator implements ContentGenerator {
  private readonly bearer: Bearer | undefined;
  private readonly alarm: Alarm;
  private readonly sendHttp: SendHttp;
  private readonly contents: RequestBodyCache;
  private readonly writers = new RequestWriters((send) => this.client(send));

  constructor(
    private readonly endpoint: GeminiEndpoint,
    { bearer, alarm = realAlarm, send = sendWithFetch }: GeminiParts = {},
  ) {
    this.bearer = bearer;
    this.contents = new RequestBodyCache(endpoint.vertex !== undefined);
    this.alarm = alarm;
    this.sendHttp = send;
  }

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    const check = new AnswerCheck();
    const silence = new IdleTimeout(this.alarm, signal);
    try {
      signal.throwIfAborted();
      request.onSend?.(request);
      for await (const chunk of await this.open(request, silence)) {
        check.see(chunk);
        yield chunk;
      }
      const failure = check.failure();
      if (failure) throw new ModelFailureError(failure, 'seen at the end of the stream');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.toProblem(error, request.model, check.arrived);
    } finally {
      silence.end();
    }
  }

  generateContent(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk> {
    return this.whole(request.model, signal, async (silence) => {
      const check = new AnswerCheck();
      const toWrite = this.contents.of(request, 'generateContent');
      const written = await this.written(toWrite, (client) =>
        client.models.generateContent(parameters(request, toWrite)),
      );
      const answer = await this.exchange(silence, fetchAnswer, written);
      check.see(answer);
      const failure = check.failure();
      if (failure) throw new ModelFailureError(failure, 'seen in the answer');
      return answer;
    });
  }

  countTokens({ model, contents }: CountRequest, signal: AbortSignal): Promise<number> {
    return this.whole(model, signal, async (silence) => {
      const { head, body } = await this.writers.write((client) => client.models.countTokens({ model, contents }));
      return this.exchange(silence, fetchCount, { ...head, body: [Buffer.from(body)] });
    });
  }

  private async open(request: GenerateRequest, silence: IdleTimeout): Promise<AsyncIterable<AnswerChunk>> {
    const toWrite = this.contents.of(request, 'generateContentStream');
    const written = await this.written(toWrite, (client) =>
      client.models.generateContentStream(parameters(request, toWrite)),
    );
    return this.exchange(silence, openAnswer, written);
  }

  /** The SDK does not get the signal: it would add a listener with every request, and a run makes many. */
  private async written(
    toWrite: RequestToWrite,
    ask: (client: GoogleGenAI) => Promise<unknown>,
  ): Promise<WholeRequest> {
    return toWrite.alone() ?? toWrite.whole(await this.writers.write(ask));
  }

  private async whole<T>(model: string, signal: AbortSignal, ask: (silence: IdleTimeout) => Promise<T>): Promise<T> {
    const silence = new IdleTimeout(this.alarm, signal);
    try {
      signal.throwIfAborted();
      return await ask(silence);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.toProblem(error, model, false);
    } finally {
      silence.end();
    }
  }

  /** A token can be revoked before it expires, so a rejected token is renewed once. A second rejection is final. */
  private async exchange<T>(silence: IdleTimeout, send: Send<T>, written: WholeRequest): Promise<T> {
    const { sendHttp } = this;
    const token = await this.bearer?.tokens.current(silence.signal);
    try {
      return await send(written, { access: this.access(token), silence, sendHttp });
    } catch (error) {
      if (!this.bearer || !token || !isUnauthorized(error)) throw error;
      const renewed = await this.bearer.tokens.renewed(token, silence.signal);
      if (renewed.value === token.value) throw error;
      silence.again();
      return send(written, { access: this.access(renewed), silence, sendHttp });
    }
  }

  /** The SDK would take any option omitted here from the environment. */
  private client(send: typeof fetch): GoogleGenAI {
    const { vertex } = this.endpoint;
    const httpOptions = { baseUrl: this.address, fetch: send };
    if (!vertex) return new GoogleGenAI({ apiKey: NO_KEY, vertexai: false, httpOptions });
    const { project = '', location } = vertex;
    return new GoogleGenAI({ apiKey: NO_KEY, vertexai: true, project, location, httpOptions });
  }

  private get address(): string {
    const { baseUrl, vertex } = this.endpoint;
    return baseUrl?.value ?? (vertex ? vertexBaseUrl(vertex) : GOOGLE_BASE_URL);
  }

  private access(token: AccessToken | undefined): ModelAccess {
    const { key, headers, vertex, quotaProject } = this.endpoint;
    const payer = vertex ? token?.quotaProject : (quotaProject ?? token?.quotaProject);
    return {
      headers: {
        ...(key && { 'x-goog-api-key': key.value }),
        ...(token && { authorization: `Bearer ${token.value}` }),
        ...(payer && { 'x-goog-user-project': payer }),
        ...headers,
      },
      secrets: [key?.value, token?.value].flatMap((secret) => secret ?? []).concat(headerSecrets(headers ?? {})),
    };
  }

  private toProblem(cause: unknown, model: string, arrived: boolean): ProblemError {
    if (!(cause instanceof ModelFailureError)) {
      return ProblemError.is(cause) ? cause : new ProblemError(problemOf(cause), { cause });
    }
    return new ProblemError(this.problemOf(cause.failure, model, arrived), { cause });
  }

  private problemOf(failure: ModelFailure, model: string, arrived: boolean): Problem {
    const { key, baseUrl } = this.endpoint;
    const refused = this.bearer && tokenRefusal(failure, this.bearer.kind, model);
    if (refused) return refused;
    return modelProblem(failure, {
      model,
      ...(key && { key }),
      ...(baseUrl && { baseUrl }),
      address: this.address,
      arrived,
    });
  }
}

/** Turns a request into an answer. */
type Send<T> = (written: WholeRequest, exchange: Exchange) => Promise<T>;

function isUnauthorized(error: unknown): boolean {
  return error instanceof ModelFailureError && error.failure.type === 'refused' && error.failure.status === 401;
}

function parameters({ model }: GenerateRequest, { contents, config }: RequestToWrite): GenerateContentParameters {
  // Automatic continuation is on by default: the SDK would send further requests on its own.
  return { model, contents, config: { ...config, automaticContinuation: false } };
}

/** Enough for any error object; an endless error page must not fill the memory. */
const MAX_ERROR_BODY = 64 * 1024;

/** Whole answers are short: titles, decisions. */
const MAX_WHOLE_ANSWER = 1024 * 1024;

/** The credentials of a request. */
interface ModelAccess {
  readonly headers: Readonly<Record<string, string>>;
  /** The header values that must not be shown if the endpoint repeats them. */
  readonly secrets: readonly string[];
}

/** What a request is sent with. */
interface Exchange {
  readonly access: ModelAccess;
  readonly silence: IdleTimeout;
  readonly sendHttp: SendHttp;
}

/** Opens a streamed answer. Throws if the response is not a valid answer. */
async function openAnswer(written: WholeRequest, exchange: Exchange): Promise<AsyncIterable<AnswerChunk>> {
  const { response, redact } = await accepted(written, exchange);
  return readAnswer(response, exchange.silence, redact);
}

/** Fetches a whole answer. Throws if the response is not a valid answer. */
async function fetchAnswer(written: WholeRequest, exchange: Exchange): Promise<AnswerChunk> {
  const { response, redact } = await accepted(written, exchange);
  const text = await readStart(response, MAX_WHOLE_ANSWER, exchange.silence);
  return checkedFrame({ type: 'event', text, complete: false }, redact);
}

/** The endpoint's count of tokens. */
async function fetchCount(written: WholeRequest, exchange: Exchange): Promise<number> {
  const { response, redact } = await accepted(written, exchange);
  const text = await readStart(response, MAX_WHOLE_ANSWER, exchange.silence);
  const counted = countSchema().safeParse(parseJson(text));
  if (!counted.success) throw new ModelFailureError({ type: 'unreadable' }, redact(text.slice(0, 2000)));
  return counted.data.totalTokens;
}

/** The API omits the field if it is zero. */
const countSchema = once(() => z.object({ totalTokens: z.int().nonnegative().default(0) }));

async function accepted(
  written: WholeRequest,
  exchange: Exchange,
): Promise<{ readonly response: HttpResponse; readonly redact: Redact }> {
  const redact = redactor(exchange.access.secrets);
  const response = await send(written, exchange);
  const { status } = response;
  if (status < 200 || status > 299) throw await refusal(response, exchange.silence, redact);
  if (!isHtml(response)) return { response, redact };
  await response.close();
  throw notGemini(status, 'a web page', 'content-type text/html');
}

/** The only function that sends requests to a model. */
async function send(written: WholeRequest, { access, silence, sendHttp }: Exchange): Promise<HttpResponse> {
  try {
    const request = { ...written, headers: { ...written.headers, ...access.headers } };
    return await silence.broken(sendHttp(request, silence.signal));
  } catch (error) {
    const code = networkCode(error);
    if (code.startsWith('HPE_')) throw notGemini(0, 'something that is not HTTP', code, error);
    throw new ModelFailureError({ type: 'no-answer', code }, code, { cause: error });
  }
}

async function refusal(response: HttpResponse, silence: IdleTimeout, redact: Redact): Promise<ModelFailureError> {
  const { status } = response;
  const body = await readStart(response, MAX_ERROR_BODY, silence);
  if (status < 400) return notGemini(status, 'a redirect', redact(`to ${response.header('location') ?? 'nowhere'}`));
  const evidence = redact(`status ${status}: ${body.slice(0, 2000)}`);
  // Some implementations of fetch return a 407 instead of failing.
  if (status === 407) return new ModelFailureError({ type: 'no-answer', code: PROXY_SIGN_IN }, evidence);
  const error = parseApiError(parseJson(body), redact);
  const html = isHtml(response) || looksLikeHtml(body);
  if (!error && (html ? status < 500 : !speaksForItself(status))) {
    return notGemini(status, html ? 'a web page' : 'something else', evidence);
  }
  const retrySeconds = parseSeconds(response.header('retry-after'));
  const known = error ?? { code: status, message: '', status: '' };
  const timed = retrySeconds === undefined ? known : { retrySeconds, ...known };
  return new ModelFailureError({ type: 'refused', status, error: timed }, evidence);
}

/**
 * Gateways send these statuses without Google's error object. An HTML page with 5xx comes from a proxy whose service is
 * down; with another status, there is no such service at the address.
 */
function speaksForItself(status: number): boolean {
  return status >= 500 || [401, 403, 408, 413, 429].includes(status);
}

async function readStart(response: HttpResponse, limit: number, silence: IdleTimeout): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (text.length < limit) {
      const bytes = await silence.broken(response.read());
      silence.begun();
      if (!bytes) return text;
      text += decoder.decode(bytes, { stream: true });
    }
    await response.close();
  } catch {
    // The text so far is enough: an error has its status, and half an answer fails to parse.
  }
  return text;
}

function isHtml(response: HttpResponse): boolean {
  return /^(?:text\/html|application\/xhtml)/i.test(response.header('content-type') ?? '');
}

function notGemini(status: number, what: string, evidence: string, cause?: unknown): ModelFailureError {
  return new ModelFailureError({ type: 'not-gemini', status, what }, evidence, { cause });
}

/**
 * The validated chunks of an answer as they arrive, text that arrived together as one of them. Throws for anything else.
 * Leaving the loop early closes the connection.
 */
async function* readAnswer(response: HttpResponse, silence: IdleTimeout, redact: Redact): AsyncGenerator<AnswerChunk> {
  const parser = new EventStreamParser();
  try {
    for (;;) {
      const bytes = await silence.broken(response.read());
      silence.begun();
      yield* chunksIn(bytes ? parser.push(bytes) : parser.end(), redact);
      if (!bytes) return;
    }
  } catch (error) {
    throw streamFailure(error);
  } finally {
    await response.close();
  }
}

/** What came before an invalid frame counts. */
function* chunksIn(items: readonly StreamItem[], redact: Redact): Generator<AnswerChunk> {
  let held: AnswerChunk | undefined;
  for (const item of items) {
    const read = readFrame(item, redact);
    const joined = held && 'chunk' in read && joinedChunks(held, read.chunk);
    if (held && !joined) yield held;
    if ('failure' in read) throw read.failure;
    held = joined || read.chunk;
  }
  if (held) yield held;
}

function readFrame(item: StreamItem, redact: Redact): { readonly chunk: AnswerChunk } | { readonly failure: unknown } {
  try {
    return { chunk: checkedFrame(item, redact) };
  } catch (failure) {
    return { failure };
  }
}

function streamFailure(error: unknown): ModelFailureError {
  if (error instanceof ModelFailureError) return error;
  if (error instanceof ItemTooLongError) return new ModelFailureError({ type: 'unreadable' }, 'an endless event');
  const silent = error instanceof IdleTimeoutError && { silent: true };
  return new ModelFailureError({ type: 'cut', ...silent }, networkCode(error), { cause: error });
}

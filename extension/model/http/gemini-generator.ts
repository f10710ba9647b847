import { type GenerateContentParameters, GoogleGenAI } from '@google/genai';
import { type Alarm, realAlarm } from '../../ports/clock.ts';
import { type Problem, ProblemError } from '../../protocol/agent/problem.ts';
import { tokenRefusal } from '../auth/auth-problem.ts';
import type { ApiKey, BaseUrl } from '../auth/credentials.ts';
import { headerSecrets, type OwnHeaders } from '../auth/own-headers.ts';
import type { AccessToken, TokenSource } from '../auth/token-source.ts';
import { type VertexPlace, vertexBaseUrl } from '../auth/vertex-endpoint.ts';
import { GOOGLE_BASE_URL } from '../base-url.ts';
import type { AnswerChunk, ContentGenerator, CountRequest, GenerateRequest } from '../content-generator.ts';
import { type ModelFailure, ModelFailureError } from '../model-failure.ts';
import { modelProblem, problemOf } from '../model-problem.ts';
import { AnswerCheck } from './answer-check.ts';
import { fetchAnswer, fetchCount, type ModelAccess, openAnswer } from './gemini-http.ts';
import { IdleTimeout } from './idle-timeout.ts';
import { RequestBodyCache, type RequestToWrite } from './request-body-cache.ts';
import { RequestWriters } from './request-writer.ts';

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
  private readonly contents = new RequestBodyCache();
  private readonly writers = new RequestWriters((send) => this.client(send));

  constructor(
    private readonly endpoint: GeminiEndpoint,
    { bearer, alarm = realAlarm }: GeminiParts = {},
  ) {
    this.bearer = bearer;
    this.alarm = alarm;
  }

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    const check = new AnswerCheck();
    const silence = new IdleTimeout(this.alarm, signal);
    try {
      signal.throwIfAborted();
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
      const toWrite = this.contents.of(request);
      const answer = await this.exchange(silence, whole(fetchAnswer, toWrite), (client) =>
        client.models.generateContent(parameters(request, toWrite)),
      );
      check.see(answer);
      const failure = check.failure();
      if (failure) throw new ModelFailureError(failure, 'seen in the answer');
      return answer;
    });
  }

  countTokens({ model, contents }: CountRequest, signal: AbortSignal): Promise<number> {
    return this.whole(model, signal, (silence) =>
      this.exchange(silence, fetchCount, (client) => client.models.countTokens({ model, contents })),
    );
  }

  private open(request: GenerateRequest, silence: IdleTimeout): Promise<AsyncIterable<AnswerChunk>> {
    const toWrite = this.contents.of(request);
    return this.exchange(silence, whole(openAnswer, toWrite), (client) =>
      client.models.generateContentStream(parameters(request, toWrite)),
    );
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
  private async exchange<T>(silence: IdleTimeout, send: Send<T>, write: Write): Promise<T> {
    const token = await this.bearer?.tokens.current(silence.signal);
    try {
      return await this.written(send, write, this.access(token), silence);
    } catch (error) {
      if (!this.bearer || !token || !isUnauthorized(error)) throw error;
      const renewed = await this.bearer.tokens.renewed(token, silence.signal);
      if (renewed.value === token.value) throw error;
      silence.again();
      return this.written(send, write, this.access(renewed), silence);
    }
  }

  /**
   * Lets the SDK write a request and sends it in the SDK's place. The SDK does not get the signal: it would add a
   * listener with every request, and a run makes many.
   */
  private async written<T>(send: Send<T>, write: Write, access: ModelAccess, silence: IdleTimeout): Promise<T> {
    const { input, init } = await this.writers.write(write);
    return send(input, init, access, silence);
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

type Send<T> = (
  input: Request | URL | string,
  init: RequestInit | undefined,
  access: ModelAccess,
  silence: IdleTimeout,
) => Promise<T>;
type Write = (client: GoogleGenAI) => Promise<unknown>;

function isUnauthorized(error: unknown): boolean {
  return error instanceof ModelFailureError && error.failure.type === 'refused' && error.failure.status === 401;
}

/** Replaces the new contents that the SDK wrote with all contents. */
function whole<T>(send: Send<T>, toWrite: RequestToWrite): Send<T> {
  return (input, init, access, silence) => {
    if (typeof init?.body !== 'string') throw new Error('The SDK wrote no text.');
    return send(input, { ...init, body: toWrite.whole(init.body) }, access, silence);
  };
}

function parameters({ model }: GenerateRequest, { contents, config }: RequestToWrite): GenerateContentParameters {
  // Automatic continuation is on by default: the SDK would send further requests on its own.
  return { model, contents, config: { ...config, automaticContinuation: false } };
}

import { type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { ProblemError } from '../protocol/problem.ts';
import { AnswerCheck } from './answer-check.ts';
import { GOOGLE_BASE_URL } from './base-url.ts';
import type { ContentGenerator, GenerateRequest } from './content-generator.ts';
import type { ApiKey, BaseUrl } from './credentials.ts';
import { geminiFetch } from './gemini-http.ts';
import { ModelFailureError } from './model-failure.ts';
import { modelProblem, problemOf } from './model-problem.ts';

export interface GeminiEndpoint {
  readonly key?: ApiKey;
  readonly baseUrl?: BaseUrl;
}

/** Keeps the SDK from looking for a key of its own in the environment; never sent. */
const NO_KEY = 'none';

/**
 * The Gemini API, or anything that speaks it. The SDK writes the request and builds the response objects; `geminiFetch`
 * is its transport. An abort rejects with the signal's reason, everything else with a `ProblemError`. No retries.
 */
export class GeminiGenerator implements ContentGenerator {
  private readonly client: GoogleGenAI;

  constructor(private readonly endpoint: GeminiEndpoint) {
    const { key, baseUrl } = endpoint;
    // Whatever is left out here, the SDK takes from the environment.
    this.client = new GoogleGenAI({
      apiKey: key?.value ?? NO_KEY,
      vertexai: false,
      httpOptions: { baseUrl: baseUrl?.value ?? GOOGLE_BASE_URL, fetch: geminiFetch(key) },
    });
  }

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<GenerateContentResponse> {
    const { model, contents, config } = request;
    const check = new AnswerCheck();
    // The SDK leaves the connection open when its stream is not read to the end.
    const done = new AbortController();
    try {
      signal.throwIfAborted();
      const abortSignal = AbortSignal.any([signal, done.signal]);
      const stream = await this.client.models.generateContentStream({
        model,
        contents,
        // On by default: the SDK would then repeat requests on its own when a stream breaks.
        config: { ...config, abortSignal, automaticContinuation: false },
      });
      for await (const chunk of stream) {
        check.see(chunk);
        yield chunk;
      }
      const failure = check.failure();
      if (failure) throw new ModelFailureError(failure, 'seen at the end of the stream');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.toProblem(error, model, check.arrived);
    } finally {
      done.abort();
    }
  }

  private toProblem(cause: unknown, model: string, arrived: boolean): ProblemError {
    if (!(cause instanceof ModelFailureError)) return new ProblemError(problemOf(cause), { cause });
    return new ProblemError(modelProblem(cause.failure, { ...this.endpoint, model, arrived }), { cause });
  }
}

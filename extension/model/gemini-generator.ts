import { type GenerateContentParameters, GoogleGenAI } from '@google/genai';
import { ProblemError } from '../protocol/problem.ts';
import { AnswerCheck } from './answer-check.ts';
import { GOOGLE_BASE_URL } from './base-url.ts';
import type { AnswerChunk, ContentGenerator, GenerateRequest } from './content-generator.ts';
import type { ApiKey, BaseUrl } from './credentials.ts';
import { fetchAnswer, openAnswer } from './gemini-http.ts';
import { ModelFailureError } from './model-failure.ts';
import { modelProblem, problemOf } from './model-problem.ts';

export interface GeminiEndpoint {
  readonly key?: ApiKey;
  readonly baseUrl?: BaseUrl;
}

/** Keeps the SDK from looking for a key of its own in the environment; never sent. */
const NO_KEY = 'none';

/**
 * The Gemini API, or anything that speaks it. The SDK writes the request; the answer is read here. The SDK takes an HTML
 * page with status 200, a bare error object and an event with a name for an empty answer, and builds a `Response` for
 * every chunk, which is most of what an answer costs. An abort rejects with the signal's reason, everything else with a
 * `ProblemError`. No retries.
 */
export class GeminiGenerator implements ContentGenerator {
  constructor(private readonly endpoint: GeminiEndpoint) {}

  async *generateContentStream(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<AnswerChunk> {
    const check = new AnswerCheck();
    try {
      signal.throwIfAborted();
      for await (const chunk of await this.open(request, signal)) {
        check.see(chunk);
        yield chunk;
      }
      const failure = check.failure();
      if (failure) throw new ModelFailureError(failure, 'seen at the end of the stream');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.toProblem(error, request.model, check.arrived);
    }
  }

  async generateContent(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk> {
    const check = new AnswerCheck();
    try {
      signal.throwIfAborted();
      const answer = await this.ask(request, signal);
      check.see(answer);
      const failure = check.failure();
      if (failure) throw new ModelFailureError(failure, 'seen in the answer');
      return answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.toProblem(error, request.model, false);
    }
  }

  private async open(request: GenerateRequest, signal: AbortSignal): Promise<AsyncIterable<AnswerChunk>> {
    let answer: AsyncIterable<AnswerChunk> | undefined;
    const client = this.client(async (input, init) => {
      answer = await openAnswer(input, init, this.endpoint.key);
      return new Response();
    });
    await client.models.generateContentStream(parameters(request, signal));
    if (!answer) throw new Error('The SDK sent no request.');
    return answer;
  }

  private async ask(request: GenerateRequest, signal: AbortSignal): Promise<AnswerChunk> {
    let answer: AnswerChunk | undefined;
    const client = this.client(async (input, init) => {
      answer = await fetchAnswer(input, init, this.endpoint.key);
      return new Response('{}');
    });
    await client.models.generateContent(parameters(request, signal));
    if (!answer) throw new Error('The SDK sent no request.');
    return answer;
  }

  /** Whatever is left out here, the SDK takes from the environment. */
  private client(send: typeof fetch): GoogleGenAI {
    const { key, baseUrl } = this.endpoint;
    return new GoogleGenAI({
      apiKey: key?.value ?? NO_KEY,
      vertexai: false,
      httpOptions: { baseUrl: baseUrl?.value ?? GOOGLE_BASE_URL, fetch: send },
    });
  }

  private toProblem(cause: unknown, model: string, arrived: boolean): ProblemError {
    if (!(cause instanceof ModelFailureError)) return new ProblemError(problemOf(cause), { cause });
    return new ProblemError(modelProblem(cause.failure, { ...this.endpoint, model, arrived }), { cause });
  }
}

function parameters({ model, contents, config }: GenerateRequest, abortSignal: AbortSignal): GenerateContentParameters {
  // Automatic continuation is on by default: the SDK would repeat requests on its own.
  return { model, contents, config: { ...config, abortSignal, automaticContinuation: false } };
}

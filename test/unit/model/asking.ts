import type { Content, GenerateContentConfig } from '@google/genai';
import type { AnswerChunk, ContentGenerator } from '../../../extension/model/content-generator.ts';
import { createDirectSend } from '../../../extension/model/http/direct-http.ts';
import { type GeminiEndpoint, GeminiGenerator } from '../../../extension/model/http/gemini-generator.ts';
import { type SendHttp, sendWithFetch } from '../../../extension/model/http/send-http.ts';
import { type Problem, ProblemError } from '../../../extension/protocol/agent/problem.ts';

export const MODEL = 'gemini-3.8-flash';
export const KEY = { value: 'AIzaSyTestTestTestTestx9Qk', source: 'GEMINI_API_KEY' } as const;

export function generatorAt(
  url: string,
  endpoint: GeminiEndpoint = { key: KEY },
  send: SendHttp = sendWithFetch,
): GeminiGenerator {
  return new GeminiGenerator({ ...endpoint, baseUrl: { value: url, source: 'gantry.model.baseUrl' } }, { send });
}

type GeneratorAt = (url: string, endpoint?: GeminiEndpoint) => GeminiGenerator;

/** The ways to send a request, which must look the same to a user. */
export const WAYS: readonly { readonly way: string; readonly generatorAt: GeneratorAt }[] = [
  { way: 'with fetch', generatorAt },
  { way: 'directly', generatorAt: (url, endpoint) => generatorAt(url, endpoint, createDirectSend()) },
];

export interface Question {
  readonly contents?: Content[];
  readonly config?: GenerateContentConfig;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly chunks: readonly AnswerChunk[];
  /** Without thoughts. */
  readonly text: string;
  readonly error: unknown;
}

/** Reads an answer to its end, whatever the end is. */
export async function ask(generator: ContentGenerator, question: Question = {}): Promise<Answer> {
  const { contents = [userSays('Hi')], config = {}, signal = new AbortController().signal } = question;
  const chunks: AnswerChunk[] = [];
  let error: unknown;
  try {
    for await (const chunk of await generator.generateContentStream({ model: MODEL, contents, config }, signal)) {
      chunks.push(chunk);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { chunks, text: textOf(chunks), error };
}

export function userSays(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}

export function problemIn(error: unknown): Problem {
  if (!ProblemError.is(error)) throw new Error('Not a ProblemError', { cause: error });
  return error.problem;
}

/** Everything a log would show of an error, its causes included. */
export function logged(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack ?? error.message}\n${JSON.stringify(error)}\n${error.cause === undefined ? '' : logged(error.cause)}`;
}

function textOf(chunks: readonly AnswerChunk[]): string {
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  return parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join('');
}

import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { AnswerChunk } from '../content-generator.ts';
import { answerSchema } from '../http/answer-frame.ts';
import { parseJson } from '../json.ts';

export interface Responses {
  readonly generateContentStream: readonly AnswerChunk[];
  readonly generateContent: AnswerChunk;
  /** The API omits the field if it is zero. */
  readonly countTokens: { readonly totalTokens?: number };
}

export type RecordedMethod = keyof Responses;

/** One answer in the format of Gemini CLI's fake responses: one JSON object per line. */
export interface RecordedAnswer<Method extends RecordedMethod = RecordedMethod> {
  readonly method: Method;
  readonly response: Responses[Method];
}

const METHODS: readonly RecordedMethod[] = ['generateContentStream', 'generateContent', 'countTokens'];

const lineSchema = once(() =>
  z.discriminatedUnion('method', [
    z.looseObject({ method: z.literal('generateContentStream'), response: z.array(answerSchema()) }),
    z.looseObject({ method: z.literal('generateContent'), response: answerSchema() }),
    z.looseObject({
      method: z.literal('countTokens'),
      response: z.looseObject({ totalTokens: z.int().nonnegative().optional() }),
    }),
  ]),
);

/** Parses a line, or reports what is wrong with it. */
export function parseRecorded(line: string): RecordedAnswer | { readonly wrong: string } {
  const json = parseJson(line);
  if (json === undefined) return { wrong: 'is not JSON' };
  const parsed = lineSchema().safeParse(json);
  if (parsed.success) return json as RecordedAnswer;
  const method = z.looseObject({ method: z.enum(METHODS) }).safeParse(json).data?.method;
  if (method === undefined) return { wrong: `has no method that is ${METHODS.join(', ')}` };
  return { wrong: `has a response that is none of ${method}` };
}

/** The fields that Gemini CLI keeps, and the reason if there is no answer. Answers contain no credentials. */
export function keptOf({ candidates, promptFeedback, usageMetadata }: AnswerChunk): AnswerChunk {
  return {
    ...(candidates && { candidates }),
    ...(promptFeedback && { promptFeedback }),
    ...(usageMetadata && { usageMetadata }),
  };
}

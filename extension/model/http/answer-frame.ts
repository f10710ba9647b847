import * as z from 'zod';
import { once } from '../../base/once.ts';
import { parseApiError, type Redact } from '../api-error.ts';
import type { AnswerChunk } from '../content-generator.ts';
import { parseJson } from '../json.ts';
import { ModelFailureError } from '../model-failure.ts';
import type { StreamItem } from './sse.ts';

/** The structure that all later code relies on. The rest is passed on unchanged. */
export const answerSchema = once(() =>
  z.looseObject({
    candidates: z
      .array(
        z.looseObject({
          content: z
            .looseObject({
              parts: z
                .array(
                  z.looseObject({
                    text: z.string().nullish(),
                    thought: z.boolean().nullish(),
                    thoughtSignature: z.string().nullish(),
                    functionCall: z
                      .looseObject({ name: z.string().nullish(), args: z.record(z.string(), z.unknown()).nullish() })
                      .nullish(),
                  }),
                )
                .nullish(),
            })
            .nullish(),
          finishReason: z.string().nullish(),
        }),
      )
      .nullish(),
    promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
    usageMetadata: z.looseObject({}).nullish(),
  }),
);

/** Validates one chunk of an answer in a stream with status 200; throws a `ModelFailureError` for anything else. */
export function checkedFrame(item: StreamItem, redact: Redact): AnswerChunk {
  const json = parseJson(item.text);
  const evidence = (): string => redact(item.text.slice(0, 2000));
  const error = parseApiError(json, redact);
  if (error)
    throw new ModelFailureError({ type: 'refused', status: error.code, error }, `in the stream: ${evidence()}`);
  if (item.type === 'stray') throw strayText(item, evidence());
  // If a stream ends in the middle of an event, it was cut, even if the connection was closed normally.
  if (json === undefined && !item.complete) throw new ModelFailureError({ type: 'cut' }, evidence());
  if (!answerSchema().safeParse(json).success) throw new ModelFailureError({ type: 'unreadable' }, evidence());
  return json as AnswerChunk;
}

function strayText({ text, complete }: StreamItem, evidence: string): ModelFailureError {
  if (looksLikeHtml(text)) {
    return new ModelFailureError({ type: 'not-gemini', status: 200, what: 'a web page' }, evidence);
  }
  const type = !complete && 'data:'.startsWith(text) ? 'cut' : 'unreadable';
  return new ModelFailureError({ type }, evidence);
}

export function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text);
}

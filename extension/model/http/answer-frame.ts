import { z } from 'zod';
import { parseApiError, type Redact } from '../api-error.ts';
import type { AnswerChunk } from '../content-generator.ts';
import { parseJson } from '../json.ts';
import { ModelFailureError } from '../model-failure.ts';
import type { StreamItem } from './sse.ts';

/** What everything after this relies on in an answer. The rest is passed on as it came. */
export const answerSchema = z.looseObject({
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
});

/** One piece of an answer in a 200 stream, checked; throws a `ModelFailureError` for anything else. */
export function checkedFrame(item: StreamItem, redact: Redact): AnswerChunk {
  const json = parseJson(item.text);
  const evidence = (): string => redact(item.text.slice(0, 2000));
  const error = parseApiError(json, redact);
  if (error)
    throw new ModelFailureError({ type: 'refused', status: error.code, error }, `in the stream: ${evidence()}`);
  if (item.type === 'stray') throw strayText(item, evidence());
  // The end of a stream in the middle of an event is a cut, even when the connection was closed in order.
  if (json === undefined && !item.complete) throw new ModelFailureError({ type: 'cut' }, evidence());
  if (!answerSchema.safeParse(json).success) throw new ModelFailureError({ type: 'unreadable' }, evidence());
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

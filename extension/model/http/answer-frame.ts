import * as z from 'zod';
import { isObject } from '../../base/objects.ts';
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

/** Whether a value from JSON fits `answerSchema`, in a tenth of its time: an answer has hundreds of chunks. */
export function isAnswerChunk(value: unknown): value is AnswerChunk {
  if (!isObject(value)) return false;
  const { candidates, promptFeedback, usageMetadata } = value;
  return (
    isNoneOr(candidates, (list) => Array.isArray(list) && list.every(isCandidate)) &&
    isNoneOr(promptFeedback, (feedback) => isObject(feedback) && isNoneOr(feedback['blockReason'], isText)) &&
    isNoneOr(usageMetadata, isObject)
  );
}

function isCandidate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { content, finishReason } = value;
  const hasParts = (parts: unknown): boolean => Array.isArray(parts) && parts.every(isPart);
  return (
    isNoneOr(content, (given) => isObject(given) && isNoneOr(given['parts'], hasParts)) &&
    isNoneOr(finishReason, isText)
  );
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { text, thought, thoughtSignature, functionCall } = value;
  return (
    isNoneOr(text, isText) &&
    isNoneOr(thought, (flag) => typeof flag === 'boolean') &&
    isNoneOr(thoughtSignature, isText) &&
    isNoneOr(
      functionCall,
      (call) => isObject(call) && isNoneOr(call['name'], isText) && isNoneOr(call['args'], isObject),
    )
  );
}

function isNoneOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

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
  if (!isAnswerChunk(json)) throw new ModelFailureError({ type: 'unreadable' }, evidence());
  return json;
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

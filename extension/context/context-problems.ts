import type { Content, Part } from '@google/genai';
import { type Problem, ProblemError } from '../protocol/problem.ts';
import { oneLine } from '../tools/one-line.ts';
import { dataSize, describeMedia } from './media-line.ts';
import { estimateTokens, partTokens } from './token-estimate.ts';
import { mediaRuleOf } from './tokens/media-tokens.ts';

/** The conversation does not fit any more, whatever is left out of it. */
export function contextFull(tokens: number, window: number, model: string, contents: readonly Content[]): ProblemError {
  return new ProblemError({
    kind: 'context-full',
    title: 'The conversation is too long for the model',
    detail: `It has about ${count(tokens)} tokens, and ${model} takes ${count(window)}. Nothing was sent, and everything is kept. Compress the conversation, go on in a new session, or choose a model that takes more. ${largestOf(
      contents.flatMap(({ parts = [] }) => parts),
      model,
    )}`,
    actions: ['compress', 'new-session', 'switch-model'],
  });
}

/** There is no room for what would have to be read to shorten the conversation. */
export function tooLongToSummarise(tokens: number, window: number): ProblemError {
  return new ProblemError({
    kind: 'context-full',
    title: 'The conversation is too long to be summarised',
    detail: `Its older part has about ${count(tokens)} tokens, and the model takes ${count(window)}. Everything is kept. Choose a model that takes more, or go on in a new session.`,
    actions: ['switch-model', 'new-session'],
  });
}

/** Refuses a message that alone is more than the model takes. */
export function checkMessageFits(parts: readonly Part[], window: number, model: string): void {
  const tokens = estimateTokens([{ role: 'user', parts: [...parts] }], model);
  if (tokens <= window) return;
  const problem: Problem = {
    kind: 'message-too-large',
    title: `The message is too long for the model (about ${count(tokens)} tokens)`,
    detail: `${model} takes ${count(window)} tokens. Nothing was sent. ${largestOf(parts, model)} Remove some of that, or choose a model that takes more.`,
    actions: [],
  };
  throw new ProblemError(problem);
}

const MOST_NAMED = 3;

function largestOf(parts: readonly Part[], model: string): string {
  const rule = mediaRuleOf(model);
  const largest = parts.toSorted((a, b) => partTokens(b, rule) - partTokens(a, rule)).slice(0, MOST_NAMED);
  const named = largest.map((part) => `${nameOf(part)}: ${count(partTokens(part, rule))} tokens`);
  return `The largest parts: ${named.join('; ')}.`;
}

function nameOf(part: Part): string {
  const { text, functionResponse, functionCall } = part;
  if (functionResponse) return `the output of ${oneLine(functionResponse.name ?? '', 60)}`;
  if (functionCall) return `a call of ${oneLine(functionCall.name ?? '', 60)}`;
  if (text === undefined) return describeMedia(part);
  return `“${oneLine(text.slice(0, 200), 40)}” (${dataSize(Buffer.byteLength(text))})`;
}

function count(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US');
}

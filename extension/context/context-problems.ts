import type { Content, Part } from '@google/genai';
import * as l10n from '@vscode/l10n';
import { type Problem, ProblemError } from '../protocol/agent/problem.ts';
import { textLocale } from '../protocol/words/numbers.ts';
import { oneLine } from '../text/one-line.ts';
import { dataSize, describeMedia } from './media-line.ts';
import { estimateTokens, partTokens } from './token-estimate.ts';
import { mediaRuleOf } from './tokens/media-tokens.ts';

/** The conversation no longer fits, even after everything that can be omitted is omitted. */
export function contextFull(tokens: number, window: number, model: string, contents: readonly Content[]): ProblemError {
  return new ProblemError({
    kind: 'context-full',
    title: l10n.t('The conversation is too long for the model'),
    detail: l10n.t(
      'It has about {0} tokens, and the limit of {1} is {2}. Nothing was sent, and everything is kept. {3}',
      count(tokens),
      model,
      count(window),
      largestOf(
        contents.flatMap(({ parts = [] }) => parts),
        model,
      ),
    ),
    actions: ['compress', 'new-session', 'switch-model'],
  });
}

/** The part that has to be summarized does not fit into the window itself. */
export function tooLongToSummarise(tokens: number, window: number): ProblemError {
  return new ProblemError({
    kind: 'context-full',
    title: l10n.t('The conversation is too long to summarize'),
    detail: l10n.t(
      "Its older part has about {0} tokens, and the model's limit is {1}. Everything is kept.",
      count(tokens),
      count(window),
    ),
    actions: ['switch-model', 'new-session'],
  });
}

/** Rejects a message that alone exceeds the model's window. */
export function checkMessageFits(parts: readonly Part[], window: number, model: string): void {
  const tokens = estimateTokens([{ role: 'user', parts: [...parts] }], model);
  if (tokens <= window) return;
  const problem: Problem = {
    kind: 'message-too-large',
    title: l10n.t('The message is too long for the model (about {0} tokens)', count(tokens)),
    detail: l10n.t(
      'The limit of {0} is {1} tokens. Nothing was sent. {2} Remove some of it, or choose a model with a larger context window.',
      model,
      count(window),
      largestOf(parts, model),
    ),
    actions: [],
  };
  throw new ProblemError(problem);
}

const MOST_NAMED = 3;

function largestOf(parts: readonly Part[], model: string): string {
  const rule = mediaRuleOf(model);
  const largest = parts.toSorted((a, b) => partTokens(b, rule) - partTokens(a, rule)).slice(0, MOST_NAMED);
  const named = largest.map((part) => l10n.t('{0}: {1} tokens', nameOf(part), count(partTokens(part, rule))));
  return l10n.t('The largest parts: {0}.', named.join('; '));
}

function nameOf(part: Part): string {
  const { text, functionResponse, functionCall } = part;
  if (functionResponse) return l10n.t('the output of {0}', oneLine(functionResponse.name ?? '', 60));
  if (functionCall) return l10n.t('a call of {0}', oneLine(functionCall.name ?? '', 60));
  if (text === undefined) return describeMedia(part);
  return `“${oneLine(text.slice(0, 200), 40)}” (${dataSize(Buffer.byteLength(text))})`;
}

function count(tokens: number): string {
  return Math.round(tokens).toLocaleString(textLocale());
}

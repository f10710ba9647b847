import type { Content } from '@google/genai';
import { isInformation } from '../information.ts';
import type { InvalidStream } from './failure-class.ts';

const THOUGHTS_ONLY =
  '[System: your last attempt had thoughts and no answer. Give your final answer or call a tool now.]';
const NO_TEXT = '[System: your last attempt was empty. Give your final answer or call a tool now.]';

/** The message for a model whose answer had no text; undefined for other failures. */
export function nudgeFor(invalid: InvalidStream): string | undefined {
  if (invalid === 'thoughts-only') return THOUGHTS_ONLY;
  return invalid === 'no-text' ? NO_TEXT : undefined;
}

/**
 * Appends the nudge at the end, where the model notices it and the service's cache for the earlier contents stays
 * valid.
 */
export function withNudge(contents: readonly Content[], nudge: string | undefined): Content[] {
  const last = contents.at(-1);
  if (nudge === undefined || !last) return [...contents];
  if (last.role === 'user' && !hasResults(last)) {
    return [...contents.slice(0, -1), { ...last, parts: [...(last.parts ?? []), { text: `\n${nudge}` }] }];
  }
  // After tool results, the API requires a model turn before the next user turn.
  const between: Content[] =
    last.role === 'user' ? [{ role: 'model', parts: [{ text: '[The tools are done.]' }] }] : [];
  return [...contents, ...between, { role: 'user', parts: [{ text: nudge }] }];
}

/** Whether the contents end with the results of calls. Facts that became known meanwhile may follow the results. */
export function answersCalls(contents: readonly Content[]): boolean {
  const last = contents.findLast((content) => !isInformation(content));
  return last !== undefined && hasResults(last);
}

function hasResults({ parts = [] }: Content): boolean {
  return parts.some(({ functionResponse }) => functionResponse !== undefined);
}

import type { Content } from '@google/genai';
import type { InvalidStream } from './failure-class.ts';

const THOUGHTS_ONLY =
  '[System: your last attempt had thoughts and no answer. Give your final answer or call a tool now.]';
const NO_TEXT = '[System: your last attempt was empty. Give your final answer or call a tool now.]';

/** What a model is told that said nothing; undefined for other failures. */
export function nudgeFor(invalid: InvalidStream): string | undefined {
  if (invalid === 'thoughts-only') return THOUGHTS_ONLY;
  return invalid === 'no-text' ? NO_TEXT : undefined;
}

/** At the end, where the model sees it and what was sent before stays the same for the service's cache. */
export function withNudge(contents: readonly Content[], nudge: string | undefined): Content[] {
  const last = contents.at(-1);
  if (nudge === undefined || !last) return [...contents];
  if (last.role === 'user' && !answersCalls(contents)) {
    return [...contents.slice(0, -1), { ...last, parts: [...(last.parts ?? []), { text: `\n${nudge}` }] }];
  }
  // Behind results of tools the API wants the model to speak before the user does.
  const between: Content[] =
    last.role === 'user' ? [{ role: 'model', parts: [{ text: '[The tools are done.]' }] }] : [];
  return [...contents, ...between, { role: 'user', parts: [{ text: nudge }] }];
}

/** The model is being told what its calls came to. */
export function answersCalls(contents: readonly Content[]): boolean {
  return contents.at(-1)?.parts?.some(({ functionResponse }) => functionResponse !== undefined) ?? false;
}

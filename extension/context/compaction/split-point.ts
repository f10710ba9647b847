import type { Content } from '@google/genai';

/** Gemini CLI's: the last 30 % of a conversation stay as they are. */
const SUMMARISED_SHARE = 0.7;

/** Something was said, and no call is answered by it: what stands before it can be taken away. */
export function isPlainUser({ role, parts = [] }: Content): boolean {
  return role === 'user' && !parts.some((part) => part.functionResponse);
}

/**
 * How many contents are summarised; the rest begins with a plain message of the user, or is empty. 0 when there is no
 * such place. `sizeOf` is in any unit.
 */
export function splitPoint(contents: readonly Content[], sizeOf: (content: Content) => number): number {
  const sizes = contents.map(sizeOf);
  const target = sizes.reduce((sum, size) => sum + size, 0) * SUMMARISED_SHARE;
  let before = 0;
  let last = 0;
  for (const [index, content] of contents.entries()) {
    if (isPlainUser(content)) {
      if (before >= target) return index;
      last = index;
    }
    before += sizes[index] ?? 0;
  }
  const end = contents.at(-1);
  const isAnswer = end?.role === 'model' && !end.parts?.some((part) => part.functionCall);
  return isAnswer ? contents.length : last;
}

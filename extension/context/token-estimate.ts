import type { Content } from '@google/genai';

/** About how many tokens the contents are, without asking the server. */
export function estimateTokens(contents: readonly Content[]): number {
  return Math.floor(JSON.stringify(contents).length / 4);
}

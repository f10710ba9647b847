/** How the panel shows what the model thinks: a line that opens, open from the beginning, or not at all. */
export const THINKING_WAYS = ['collapsed', 'expanded', 'hidden'] as const;
export type ThinkingWay = (typeof THINKING_WAYS)[number];

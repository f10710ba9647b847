/**
 * How the panel shows the model's thoughts: as a line that can be expanded, expanded from the beginning, or not at all.
 */
export const THINKING_WAYS = ['collapsed', 'expanded', 'hidden'] as const;
export type ThinkingWay = (typeof THINKING_WAYS)[number];

export interface ScrollPosition {
  readonly top: number;
  readonly viewport: number;
  readonly content: number;
}

/** Nearer to the end than this counts as being at the end. */
export const NEAR_END = 24;

export function distanceToEnd(position: ScrollPosition): number {
  return Math.max(0, position.content - position.viewport - position.top);
}

/**
 * Whether the view follows new text after the reader scrolled. Scrolling up lets go at once, also inside the last
 * 24 px: otherwise a slow wheel could never leave the end of an answer that is being written.
 */
export function followsAfterScroll(previousTop: number, now: ScrollPosition): boolean {
  const distance = distanceToEnd(now);
  const movedUp = now.top < previousTop;
  return movedUp ? distance <= 1 : distance <= NEAR_END;
}

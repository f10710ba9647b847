export interface ScrollPosition {
  readonly top: number;
  readonly viewport: number;
  readonly content: number;
}

/** A distance below this counts as being at the end. */
export const NEAR_END = 24;

export function distanceToEnd(position: ScrollPosition): number {
  return Math.max(0, position.content - position.viewport - position.top);
}

/**
 * Whether the view follows new text after the reader scrolled. Scrolling up stops following at once, even within the
 * last 24 px: otherwise, a slow wheel could never leave the end of an answer that is being written.
 */
export function followsAfterScroll(previousTop: number, now: ScrollPosition): boolean {
  const distance = distanceToEnd(now);
  const movedUp = now.top < previousTop;
  return movedUp ? distance <= 1 : distance <= NEAR_END;
}

/** These elements scroll, and handle the keys while they have the focus. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], pre, .ask-read, .table-box, .menu';

/** Whether the wheel, turned up there, scrolls something inside the conversation. */
export function scrollsInside(target: EventTarget | null): boolean {
  const own = target instanceof Element ? target.closest(OWN_KEYS) : undefined;
  return own ? own.scrollTop > 0 : false;
}

/** The keys that scroll to the ends of the conversation, which may be far from the drawn entries. */
export function scrollKey(event: KeyboardEvent): 'start' | 'end' | undefined {
  if (event.defaultPrevented || event.altKey || event.shiftKey) return undefined;
  if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return undefined;
  if (event.key === 'Home') return 'start';
  return event.key === 'End' ? 'end' : undefined;
}

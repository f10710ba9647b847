/** Where these have the focus, the keys are theirs. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], pre, .ask-read, .table-box, .menu';

/** The keys that lead to the ends of the conversation, which may be far outside of what is drawn. */
export function scrollKey(event: KeyboardEvent): 'start' | 'end' | undefined {
  if (event.defaultPrevented || event.altKey || event.shiftKey) return undefined;
  if (event.target instanceof Element && event.target.closest(OWN_KEYS)) return undefined;
  if (event.key === 'Home') return 'start';
  return event.key === 'End' ? 'end' : undefined;
}

/** Ctrl+F, on a Mac Cmd+F, opens it; F3 and Shift+F3 continue from anywhere in the panel. */
export function findKey(event: KeyboardEvent): 'open' | 'next' | 'previous' | undefined {
  const { key, altKey, shiftKey } = event;
  const withControl = event.ctrlKey !== event.metaKey;
  if (altKey) return undefined;
  if (key.toLowerCase() === 'f' && withControl && !shiftKey) return 'open';
  if (key === 'F3' && !withControl) return shiftKey ? 'previous' : 'next';
  return undefined;
}

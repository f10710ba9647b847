/** What a key does on an entry, or on the conversation around it. */
export type EntryKey = 'next' | 'previous' | 'open' | 'close' | 'go' | 'leave';

interface Press {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

const KEYS: Readonly<Record<string, EntryKey>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ArrowRight: 'open',
  ArrowLeft: 'close',
  Enter: 'go',
  Escape: 'leave',
};

/** With another key held down it is meant for something else. */
export function entryKey(press: Press, isRightToLeft: boolean): EntryKey | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined;
  const key = KEYS[press.key];
  if (!isRightToLeft || (key !== 'open' && key !== 'close')) return key;
  return key === 'open' ? 'close' : 'open';
}

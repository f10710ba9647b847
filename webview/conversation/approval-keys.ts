import type { KeyPress } from '../composer/keys.ts';

/** `next`: from the card to what is to be read or pressed first. `nothing`: not even what the key does by itself. */
export type ApprovalKey = 'allow' | 'reject' | 'next' | 'nothing' | 'other';

interface Place {
  /** In a field that takes text. */
  readonly inText: boolean;
  /** On the card itself, not on something in it. */
  readonly onCard: boolean;
}

const TAKEN_BY_INPUT_METHOD = 229;

/**
 * What a key does on a card. A key that is held down answers nothing: it may have been pressed for what stood here
 * before, and browsers press a button again for each repeat.
 */
export function approvalKey(press: KeyPress & { readonly repeat: boolean }, { inText, onCard }: Place): ApprovalKey {
  if (press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD) return 'other';
  if (press.repeat && (press.key === 'Enter' || (press.key === ' ' && !inText))) return 'nothing';
  if (press.shiftKey || press.altKey) return 'other';
  if (press.ctrlKey || press.metaKey) {
    if (press.key === 'Enter') return 'allow';
    // In a field it takes back a word.
    return press.key === 'Backspace' && !inText && !press.repeat ? 'reject' : 'other';
  }
  return press.key === 'Tab' && onCard ? 'next' : 'other';
}

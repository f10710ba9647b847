import type { Conversation } from '../conversation/conversation.ts';
import type { EntryView } from '../conversation/entry-view.ts';
import type { Find } from '../state/find.ts';
import { FindHighlights } from './find-highlights.ts';

/** More of a selection is not looked for. */
const LONGEST_SELECTION = 200;

/** The page's part of finding: the way to a match, its marks, and where the focus came from. */
export class FindInConversation {
  private readonly highlights: FindHighlights;
  private cameFrom: HTMLElement | undefined;

  constructor(
    private readonly find: Find,
    private readonly conversation: () => Conversation | null,
    root: HTMLElement,
  ) {
    this.highlights = new FindHighlights(root);
  }

  /** What is selected in the conversation is what somebody looks for. */
  begin(): void {
    const { activeElement } = document;
    if (!this.find.isOpen) this.cameFrom = activeElement instanceof HTMLElement ? activeElement : undefined;
    const selected = String(document.getSelection() ?? '');
    const isWords = selected.trim() !== '' && !selected.includes('\n') && selected.length <= LONGEST_SELECTION;
    this.find.open(isWords ? selected : undefined);
  }

  /** False when what had the focus is gone. */
  end(): boolean {
    this.find.close();
    this.highlights.stop();
    const place = this.cameFrom;
    this.cameFrom = undefined;
    if (!place?.isConnected || place === document.body) return false;
    place.focus({ preventScroll: true });
    return true;
  }

  /** The host has found something, or nothing. */
  show(): void {
    const { current } = this.find;
    this.mark();
    if (current) this.conversation()?.toEntryIfNeeded(current.index, (entry) => void this.arrive(entry));
  }

  private async arrive(entry: EntryView): Promise<void> {
    const { query, current } = this.find;
    if (!current) return;
    entry.drawAll();
    // What is folded away is found too.
    if (!FindHighlights.matchOf(entry, { query, current })) await entry.unfold();
    const match = FindHighlights.matchOf(entry, { query, current });
    this.mark();
    if (match) this.conversation()?.bringIntoView(match.getBoundingClientRect());
  }

  private mark(): void {
    const { query, current, isOpen } = this.find;
    this.highlights.show(isOpen && query !== '' ? { query, current } : undefined);
  }
}

/** Ctrl+F, on a Mac Cmd+F, opens it; F3 and Shift+F3 continue from anywhere in the panel. */
export function findKey(event: KeyboardEvent): 'open' | 'next' | 'previous' | undefined {
  const { key, altKey, shiftKey } = event;
  const withControl = event.ctrlKey !== event.metaKey;
  if (altKey) return undefined;
  if (key.toLowerCase() === 'f' && withControl && !shiftKey) return 'open';
  if (key === 'F3' && !withControl) return shiftKey ? 'previous' : 'next';
  return undefined;
}

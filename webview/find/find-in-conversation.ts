import type { Conversation } from '../conversation/conversation.ts';
import type { EntryView } from '../conversation/entry-view.ts';
import type { Find } from '../state/find.ts';
import { FindHighlights } from './find-highlights.ts';

/** A longer selection is not used as the query. */
const LONGEST_SELECTION = 200;

/** The DOM part of find: scrolling to a match, highlighting it, and restoring the focus. */
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

  /** Opens the find bar with the selected text as the query. */
  begin(): void {
    const { activeElement } = document;
    if (!this.find.isOpen) this.cameFrom = activeElement instanceof HTMLElement ? activeElement : undefined;
    const selected = String(document.getSelection() ?? '');
    const isWords = selected.trim() !== '' && !selected.includes('\n') && selected.length <= LONGEST_SELECTION;
    this.find.open(isWords ? selected : undefined);
  }

  /** Returns false if the previously focused element is gone. */
  end(): boolean {
    this.find.close();
    this.highlights.stop();
    const place = this.cameFrom;
    this.cameFrom = undefined;
    if (!place?.isConnected || place === document.body) return false;
    place.focus({ preventScroll: true });
    return true;
  }

  /** Shows the host's search result. */
  show(): void {
    const { current } = this.find;
    this.mark();
    if (current) this.conversation()?.toEntryIfNeeded(current.index, (entry) => void this.arrive(entry));
  }

  private async arrive(entry: EntryView): Promise<void> {
    const { query, current } = this.find;
    if (!current) return;
    entry.drawAll();
    // The match may be in a collapsed part.
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

/** Ctrl+F (Cmd+F on a Mac) opens the find bar. F3 and Shift+F3 work anywhere in the panel. */
export function findKey(event: KeyboardEvent): 'open' | 'next' | 'previous' | undefined {
  const { key, altKey, shiftKey } = event;
  const withControl = event.ctrlKey !== event.metaKey;
  if (altKey) return undefined;
  if (key.toLowerCase() === 'f' && withControl && !shiftKey) return 'open';
  if (key === 'F3' && !withControl) return shiftKey ? 'previous' : 'next';
  return undefined;
}

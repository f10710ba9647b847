import { emit } from '../base/events.ts';
import type { EntryView } from './entry-view.ts';

/** The parts of the conversation that the keyboard navigation needs. */
export interface Walked {
  scroller(): HTMLElement;
  total(): number;
  indexOf(entry: EntryView): number;
  /** Calls `then` with an entry once it is drawn, wherever it is. */
  reach(index: number, then: (entry: EntryView) => void): void;
  /** From now on, new text at the end does not scroll the page. */
  hold(): void;
}

/** The scroll distance within an entry that is longer than the page, in pixels. */
const STEP = 60;

/**
 * Moves between entries with the keyboard, while the conversation or an entry has the focus and none of their controls.
 */
export class EntryWalk {
  constructor(private readonly conversation: Walked) {}

  /** Returns true if the key was handled. */
  take(event: KeyboardEvent): boolean {
    const scroller = this.conversation.scroller();
    const target = event.target instanceof HTMLElement ? event.target : undefined;
    const entry = target?.closest('gantry-entry') ?? undefined;
    if (event.defaultPrevented || !target || (target !== scroller && target !== entry?.focusTarget)) return false;
    const key = entryKey(event, getComputedStyle(scroller).direction === 'rtl');
    switch (key) {
      case 'next':
      case 'previous':
        this.go(entry, key);
        return true;
      case 'open':
      case 'close':
        entry?.disclose(key === 'open');
        return entry !== undefined;
      case 'go':
        entry?.activate();
        return entry !== undefined;
      case 'leave':
        if (entry) emit(entry, 'gantry-leave', undefined);
        return entry !== undefined;
      case undefined:
        return false;
    }
  }

  private go(entry: EntryView | undefined, key: 'next' | 'previous'): void {
    const { conversation } = this;
    conversation.hold();
    if (!entry) {
      const seen = this.seen();
      const first = key === 'next' ? seen[0] : seen.at(-1);
      if (first) this.land(first, conversation.indexOf(first), key);
      return;
    }
    if (!this.readOn(entry, key)) this.step(conversation.indexOf(entry), key);
  }

  /** The visible entries, from the top down. */
  private seen(): readonly EntryView[] {
    const scroller = this.conversation.scroller();
    const { top, bottom } = scroller.getBoundingClientRect();
    return [...scroller.querySelectorAll('gantry-entry')].filter((entry) => {
      const place = entry.getBoundingClientRect();
      return place.bottom > top && place.top < bottom && entry.focusTarget !== undefined;
    });
  }

  /** Scrolls through the hidden rest of the entry before moving on. Returns false if nothing is hidden. */
  private readOn(entry: EntryView, key: 'next' | 'previous'): boolean {
    const scroller = this.conversation.scroller();
    const [seen, place] = [scroller.getBoundingClientRect(), entry.getBoundingClientRect()];
    const hidden = key === 'next' ? place.bottom - seen.bottom : seen.top - place.top;
    if (hidden <= 1) return false;
    const by = Math.min(STEP, hidden);
    scroller.scrollTop += key === 'next' ? by : -by;
    return true;
  }

  private step(index: number, key: 'next' | 'previous'): void {
    const next = index + (key === 'next' ? 1 : -1);
    if (index < 0 || next < 0 || next >= this.conversation.total()) return;
    this.conversation.reach(next, (entry) => this.land(entry, next, key));
  }

  /** Focuses the entry. An entry that is not displayed is skipped. */
  private land(entry: EntryView, index: number, key: 'next' | 'previous'): void {
    if (!entry.focusTarget) {
      this.step(index, key);
      return;
    }
    entry.focusEntry();
    this.bringIn(entry, key);
  }

  /** Scrolls as little as possible. A long entry is aligned with the end that is read first. */
  private bringIn(entry: EntryView, key: 'next' | 'previous'): void {
    const scroller = this.conversation.scroller();
    const [seen, place] = [scroller.getBoundingClientRect(), entry.getBoundingClientRect()];
    const above = place.top - seen.top;
    const below = place.bottom - seen.bottom;
    const fits = place.height <= seen.height;
    if (above < 0 && (fits || key === 'next')) scroller.scrollTop += above;
    else if (below > 0) scroller.scrollTop += fits || key === 'previous' ? below : above;
  }
}

/** The action of a key on an entry, or on the conversation around it. */
type EntryKey = 'next' | 'previous' | 'open' | 'close' | 'go' | 'leave';

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

/** Ignores keys with modifiers, which have other meanings. */
function entryKey(press: Press, isRightToLeft: boolean): EntryKey | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined;
  const key = KEYS[press.key];
  if (!isRightToLeft || (key !== 'open' && key !== 'close')) return key;
  return key === 'open' ? 'close' : 'open';
}

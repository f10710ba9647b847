import { emit } from '../base/events.ts';
import type { EntryView } from './entry-view.ts';

/** What the walk needs of the conversation it is in. */
export interface Walked {
  scroller(): HTMLElement;
  total(): number;
  indexOf(entry: EntryView): number;
  /** Does something with an entry once it is drawn, wherever it is. */
  reach(index: number, then: (entry: EntryView) => void): void;
  /** From now on new words at the end do not move the page. */
  hold(): void;
}

/** A step within an entry that is longer than the page. */
const STEP = 60;

/** Goes from entry to entry with the keyboard: the conversation or one of its entries has the focus, and none of their controls. */
export class EntryWalk {
  constructor(private readonly conversation: Walked) {}

  /** True when the key was meant for this. */
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

  /** Those of which something is seen, from the top down. */
  private seen(): readonly EntryView[] {
    const scroller = this.conversation.scroller();
    const { top, bottom } = scroller.getBoundingClientRect();
    return [...scroller.querySelectorAll('gantry-entry')].filter((entry) => {
      const place = entry.getBoundingClientRect();
      return place.bottom > top && place.top < bottom && entry.focusTarget !== undefined;
    });
  }

  /** What of it lies outside the page is read before the next one has its turn. */
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

  /** Over what is not seen. */
  private land(entry: EntryView, index: number, key: 'next' | 'previous'): void {
    if (!entry.focusTarget) {
      this.step(index, key);
      return;
    }
    entry.focusEntry();
    this.bringIn(entry, key);
  }

  /** As little as it takes; of a long one the end that is read first. */
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

/** What a key does on an entry, or on the conversation around it. */
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

/** With another key held down it is meant for something else. */
function entryKey(press: Press, isRightToLeft: boolean): EntryKey | undefined {
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return undefined;
  const key = KEYS[press.key];
  if (!isRightToLeft || (key !== 'open' && key !== 'close')) return key;
  return key === 'open' ? 'close' : 'open';
}

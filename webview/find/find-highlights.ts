import type { Found } from '../../extension/protocol/panel/panel-messages.ts';
import type { EntryView } from '../conversation/entry-view.ts';
import { matchRanges } from './matches.ts';

const ALL = 'gantry-find';
const CURRENT = 'gantry-find-current';

export interface Looked {
  readonly query: string;
  readonly current: Found['current'];
}

/** Highlights matches in the drawn entries, and updates them when the entries change. It does not change the DOM. */
export class FindHighlights {
  private looked: Looked | undefined;
  private frame: number | undefined;
  private readonly observer = new MutationObserver(() => this.later());

  constructor(private readonly root: HTMLElement) {}

  show(looked: Looked | undefined): void {
    if (!looked) {
      this.stop();
      return;
    }
    if (!this.looked) this.observer.observe(this.root, { childList: true, characterData: true, subtree: true });
    this.looked = looked;
    this.mark();
  }

  stop(): void {
    this.looked = undefined;
    this.observer.disconnect();
    if (this.frame !== undefined) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
  }

  /** The range of the shown match in this entry, as far as it can be determined from the drawn content. */
  static matchOf(entry: EntryView, { query, current }: Looked): Range | undefined {
    return shownOf(matchRanges(entry, query), current);
  }

  private later(): void {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.mark();
    });
  }

  private mark(): void {
    const { looked } = this;
    if (!looked) return;
    // Higher than the colours of code, which are also highlights.
    const all = new Highlight();
    all.priority = 1;
    const now = new Highlight();
    now.priority = 2;
    for (const entry of this.root.querySelectorAll('gantry-entry')) {
      const matches = matchRanges(entry, looked.query);
      for (const range of matches) all.add(range);
      if (entry.cell.entry.id !== looked.current?.id) continue;
      const shown = shownOf(matches, looked.current);
      if (shown) now.add(shown);
    }
    CSS.highlights.set(ALL, all);
    CSS.highlights.set(CURRENT, now);
  }
}

function shownOf(matches: readonly Range[], current: Found['current']): Range | undefined {
  return matches[Math.min(current?.nth ?? 1, matches.length) - 1];
}

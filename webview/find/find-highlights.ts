import type { Found } from '../../extension/protocol/panel/panel-messages.ts';
import type { EntryView } from '../conversation/entry-view.ts';

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

/** Icons and controls are not part of the searchable text. */
const NOT_SAID = '.sr, button, vscode-button, .codicon, gantry-clock, [aria-hidden="true"]';
const BLOCKS = 'p, li, pre, td, th, h2, h3, h4, h5, h6, blockquote, div, article, summary, figure, .what > *';

/** The ranges of all matches in the drawn content, in reading order. A match may span several elements. */
function matchRanges(root: Element, query: string): readonly Range[] {
  const wanted = folded(query);
  if (wanted === '') return [];
  const { text, nodes } = textOf(root);
  const words = folded(text);
  const ranges: Range[] = [];
  const placeOf = places(nodes);
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + wanted.length)) {
    const range = document.createRange();
    const [first, last] = [placeOf(at), placeOf(at + wanted.length - 1)];
    if (!first || !last) continue;
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset + 1);
    ranges.push(range);
  }
  return ranges;
}

interface Piece {
  readonly node: Text;
  readonly start: number;
}

function textOf(root: Element): { text: string; nodes: readonly Piece[] } {
  const nodes: Piece[] = [];
  let text = '';
  let block: Element | null | undefined;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest(NOT_SAID)) continue;
    const around = node.parentElement?.closest(BLOCKS);
    // A match must not span two blocks.
    if (around !== block) text += '\n';
    block = around;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return { text, nodes };
}

/** Positions must be requested in ascending order, so that a long text is traversed only once. */
function places(nodes: readonly Piece[]): (at: number) => { node: Text; offset: number } | undefined {
  let index = -1;
  return (at) => {
    for (let next = nodes[index + 1]; next && next.start <= at; next = nodes[index + 1]) index++;
    const piece = nodes[index];
    return piece && { node: piece.node, offset: Math.min(at - piece.start, piece.node.length - 1) };
  };
}

/** Lowercases the text without changing its length. A few letters, such as İ, become longer and are kept. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (sign) => (sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign)).join('');
}

import type { TokenRole } from '../../extension/protocol/panel/token-roles.ts';
import type { LineTokens } from '../highlight/line-tokens.ts';
import { loadLater } from '../later/later-bundles.ts';

/** The time per frame. The rest of a long block is coloured in later frames. */
const SLICE_MS = 6;

/** No line of real code takes this long. Text that was designed to take longer gets no colours. */
const SLOWEST_LINE_MS = 50;

/** Readers don't look at more lines in a chat, and each line costs memory. */
const MOST_LINES = 3000;

/** The text nodes of a block, with `linesPerNode` lines each. */
export interface PaintedText {
  readonly linesPerNode: number;
  node(index: number): Text | undefined;
}

/**
 * Colours the tokens of a code block. The colours are highlights over the text and not elements in it, so a page of
 * code needs only a handful of nodes, and a selection is kept when lines are added. A line is coloured once, when it is
 * complete.
 */
export class CodePaint {
  private readonly ranges: { readonly role: TokenRole; readonly range: StaticRange }[] = [];
  private tokens: LineTokens | undefined;
  private code = '';
  private language = '';
  private isWhole = false;
  /** Everything before this offset is coloured. */
  private offset = 0;
  private line = 0;
  private column = 0;
  private timer: number | undefined;

  constructor(private readonly text: PaintedText) {}

  /** `isWhole` is true if nothing will be added, so the last line is complete. */
  show(code: string, language: string, isWhole: boolean): void {
    if (language !== this.language || !code.startsWith(this.code.slice(0, this.offset))) this.clear();
    this.code = code;
    this.language = language;
    this.isWhole = isWhole;
    if (language !== '') this.schedule();
  }

  clear(): void {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    for (const { role, range } of this.ranges.splice(0)) highlightOf(role).delete(range);
    this.tokens = undefined;
    this.offset = 0;
    this.line = 0;
    this.column = 0;
  }

  private schedule(): void {
    this.timer ??= window.setTimeout(() => void this.work());
  }

  private async work(): Promise<void> {
    const { language } = this;
    if (!this.tokens) {
      // Code is readable without colours.
      const bundle = await loadLater('highlight').catch(() => undefined);
      this.timer = undefined;
      if (language !== this.language) return;
      this.tokens = bundle?.tokensFor(language);
      if (!this.tokens) return;
    }
    this.timer = undefined;
    if (this.paintFor(this.tokens)) this.schedule();
  }

  /** Returns true if there is more to do. */
  private paintFor(tokens: LineTokens): boolean {
    let now = performance.now();
    const until = now + SLICE_MS;
    while (this.line < MOST_LINES && this.offset < this.code.length) {
      const lineBreak = this.code.indexOf('\n', this.offset);
      if (lineBreak < 0 && !this.isWhole) return false;
      const end = lineBreak < 0 ? this.code.length : lineBreak;
      this.paintLine(tokens, this.code.slice(this.offset, end));
      this.offset = end + 1;
      const began = now;
      now = performance.now();
      if (now - began > SLOWEST_LINE_MS) this.line = MOST_LINES;
      if (now > until) return this.offset < this.code.length;
    }
    return false;
  }

  private paintLine(tokens: LineTokens, line: string): void {
    const { linesPerNode } = this.text;
    if (this.line % linesPerNode === 0) this.column = 0;
    const node = this.text.node(Math.floor(this.line / linesPerNode));
    for (const { start, end, role } of tokens.next(line)) {
      if (!node || this.column + end > node.length) continue;
      const range = new StaticRange({
        startContainer: node,
        startOffset: this.column + start,
        endContainer: node,
        endOffset: this.column + end,
      });
      highlightOf(role).add(range);
      this.ranges.push({ role, range });
    }
    this.column += line.length + 1;
    this.line++;
  }
}

function highlightOf(role: TokenRole): Highlight {
  const name = `code-${role}`;
  const known = CSS.highlights.get(name);
  if (known) return known;
  const made = new Highlight();
  CSS.highlights.set(name, made);
  return made;
}

import type { Token } from 'marked';

/** The page has its own h1 and h2. */
const FIRST_LEVEL = 3;

/**
 * Levels for an answer's headings. Models start at `##` or `###` as they like, but readers who navigate by headings
 * should find h3 first and no level skipped.
 */
export class HeadingLevels {
  constructor(
    private top = 6,
    private last = FIRST_LEVEL - 1,
  ) {}

  copy(): HeadingLevels {
    return new HeadingLevels(this.top, this.last);
  }

  next(depth: number): number {
    this.top = Math.min(this.top, depth);
    this.last = Math.min(FIRST_LEVEL + depth - this.top, this.last + 1, 6);
    return this.last;
  }

  /** The same blocks, with the adjusted level of each heading as its depth. */
  apply(blocks: readonly Token[]): readonly Token[] {
    return blocks.map((block) => (block.type === 'heading' ? { ...block, depth: this.next(block['depth']) } : block));
  }
}

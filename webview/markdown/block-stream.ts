import type { Token } from 'marked';
import { lexed } from './lexed.ts';
import { presentable } from './unfinished.ts';

/**
 * Splits growing markdown into blocks. A block that later text can no longer change is handed out once, as settled;
 * only the rest is looked at again, so the cost of a piece of text does not grow with what came before it.
 */
export class BlockStream {
  private rest = '';
  private newLine = false;
  /** A link definition (`[id]: url`) was seen: it may belong to a block that is settled already. */
  hasDefinitions = false;

  append(text: string): void {
    this.rest += text.replaceAll('\r', '');
    this.newLine ||= text.includes('\n');
  }

  /** Blocks that became final since the last call. */
  settle(): readonly Token[] {
    if (!this.newLine) return [];
    this.newLine = false;
    // A line that is still being written says nothing yet: "2" may become "2. next item" of the list before it.
    const blocks = this.lex(this.rest.slice(0, this.rest.lastIndexOf('\n') + 1));
    const last = blocks.findLastIndex((block) => block.type !== 'space');
    const settled = blocks.slice(0, Math.max(last, 0));
    this.rest = this.rest.slice(settled.reduce((length, block) => length + block.raw.length, 0));
    return visible(settled);
  }

  /** The blocks after the settled ones, as far as they can be shown. */
  live(): readonly Token[] {
    return visible(this.lex(presentable(this.rest)));
  }

  /** The end of the text: everything that is left is final. */
  finish(): readonly Token[] {
    const blocks = this.lex(this.rest);
    this.rest = '';
    this.newLine = false;
    return visible(blocks);
  }

  private lex(source: string): Token[] {
    const blocks = lexed(source);
    this.hasDefinitions ||= blocks.some((block) => block.type === 'def');
    return blocks;
  }
}

function visible(blocks: readonly Token[]): readonly Token[] {
  return blocks.filter((block) => block.type !== 'space' && block.type !== 'def');
}

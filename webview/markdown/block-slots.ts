import * as l10n from '@vscode/l10n';
import './code-block.ts';
import './diagram.ts';
import './maths.ts';
import DOMPurify, { type Config } from 'dompurify';
import type { Token, Tokens } from 'marked';
import { DrawnBlock } from './drawn-block.ts';
import { FarBlocks } from './far-blocks.ts';
import { fenceInfo } from './fence-info.ts';
import { HeadingLevels } from './heading-levels.ts';
import { ADDRESS_ATTRIBUTES, ALLOWED_HREF, ALLOWED_TAGS, PLAIN_ATTRIBUTES, tokensToHtml } from './html.ts';
import { morphChildren } from './morph.ts';

/** The number of blocks that are added to and removed from the page together in long answers. */
const GROUP = 20;

/** The blocks of one answer on the page, one slot each: first settled slots, which never change, then live ones. */
export class BlockSlots {
  private readonly slots: HTMLElement[] = [];
  private readonly groups: HTMLElement[] = [];
  private settled = 0;
  private levels = new HeadingLevels();
  readonly far: FarBlocks;

  constructor(private readonly root: HTMLElement) {
    this.far = new FarBlocks(root);
  }

  settle(blocks: readonly Token[]): void {
    for (const block of this.levels.apply(blocks)) {
      this.fill(this.settled++, blockContent(block));
      const group = this.groups[this.settled / GROUP - 1];
      if (group) this.far.add(group);
    }
  }

  /** Replaces everything after the settled blocks. */
  live(blocks: readonly Token[], withCaret: boolean): void {
    const contents = this.levels.copy().apply(blocks).map(blockContent);
    if (withCaret) {
      if (contents.length === 0) contents.push(sanitisedFragment('<p></p>'));
      const last = contents.at(-1);
      if (last) placeCaret(last);
    }
    for (const [index, content] of contents.entries()) this.fill(this.settled + index, content);
    this.keep(this.settled + contents.length);
  }

  clear(): void {
    this.settled = 0;
    this.levels = new HeadingLevels();
    this.far.forget();
    this.keep(0);
  }

  private fill(index: number, content: DocumentFragment): void {
    morphChildren(this.slots[index] ?? this.addSlot(), content);
  }

  private keep(count: number): void {
    for (const slot of this.slots.splice(count)) slot.remove();
    for (const group of this.groups.splice(Math.ceil(count / GROUP))) group.remove();
  }

  private addSlot(): HTMLElement {
    const slot = document.createElement('div');
    slot.className = 'block';
    // The direction follows the first letter, whatever the language of the panel is.
    slot.dir = 'auto';
    const at = this.slots.push(slot) - 1;
    (this.groups[Math.floor(at / GROUP)] ?? this.addGroup()).append(slot);
    return slot;
  }

  private addGroup(): HTMLElement {
    const group = document.createElement('div');
    group.className = 'blocks';
    this.root.append(group);
    this.groups.push(group);
    return group;
  }
}

function blockContent(block: Token): DocumentFragment {
  if (isCode(block)) {
    const fragment = document.createDocumentFragment();
    fragment.append(codeBlock(block.text, block.lang));
    return fragment;
  }
  const fragment = sanitisedFragment(tokensToHtml([block]));
  for (const pre of fragment.querySelectorAll('pre')) {
    pre.replaceWith(codeBlock(pre.textContent ?? '', pre.dataset['lang']));
  }
  for (const code of fragment.querySelectorAll<HTMLElement>('code[data-maths]')) {
    code.replaceWith(maths(code.textContent ?? '', code.dataset['maths'] === 'block'));
  }
  for (const table of fragment.querySelectorAll('table')) wrapTable(table);
  return fragment;
}

function isCode(block: Token): block is Tokens.Code {
  return block.type === 'code';
}

function codeBlock(code: string, info: string | undefined): DrawnBlock {
  const { language, path } = fenceInfo(info);
  if (language === 'mermaid') return diagram(code);
  const element = document.createElement('gantry-code-block');
  element.code = code;
  element.language = language;
  element.path = path;
  return element;
}

function diagram(code: string): DrawnBlock {
  const element = document.createElement('gantry-diagram');
  element.code = code;
  return element;
}

function maths(code: string, isBlock: boolean): DrawnBlock {
  const element = document.createElement('gantry-maths');
  element.code = code;
  element.isBlock = isBlock;
  return element;
}

/** A wide table scrolls inside its own box; the panel never scrolls sideways. */
function wrapTable(table: HTMLTableElement): void {
  const box = document.createElement('div');
  box.className = 'table-box';
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', l10n.t('Table'));
  table.replaceWith(box);
  box.append(table);
}

const HOLDS_BLOCKS =
  'p, h3, h4, h5, h6, ul, ol, li, blockquote, .table-box, table, tbody, tr, td, gantry-code-block, gantry-diagram';

/** Places the caret after the last word, however deeply it is nested. */
function placeCaret(content: DocumentFragment): void {
  let place: DocumentFragment | Element = content;
  for (let last = place.lastElementChild; last?.matches(HOLDS_BLOCKS); last = place.lastElementChild) place = last;
  if (place instanceof DrawnBlock) {
    place.streaming = true;
    return;
  }
  const caret = document.createElement('span');
  caret.className = 'caret';
  place.append(caret);
}

const CONFIG = {
  ALLOWED_TAGS: [...ALLOWED_TAGS],
  ALLOWED_ATTR: [...ADDRESS_ATTRIBUTES, ...PLAIN_ATTRIBUTES],
  ADD_URI_SAFE_ATTR: [...PLAIN_ATTRIBUTES],
  ALLOWED_URI_REGEXP: ALLOWED_HREF,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

/** The only place where HTML text becomes elements. */
function sanitisedFragment(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, CONFIG);
}

import * as l10n from '@vscode/l10n';
import type { Token } from 'marked';
import { formatCount } from '../../extension/protocol/words/numbers.ts';
import { postToHost } from '../base/events.ts';
import type { EntryCell } from '../state/transcript.ts';
import { BlockSlots } from './block-slots.ts';
import { BlockStream } from './block-stream.ts';

/**
 * A long list or table is drawn as one block. Drawing takes at most a fourth of the time, so the page stays responsive.
 */
const REST_PER_WORK = 3;
const FRAME_MS = 16;
const LONGEST_REST_MS = 200;

/** Twice the length of a model's longest answer. Parsing a megabyte would block the page for seconds. */
const LONGEST_SHOWN = 500_000;

/**
 * The text of an entry as Markdown, rendered as it grows. Parts that arrive close together are rendered together;
 * settled blocks are not touched.
 */
export class StreamedMarkdown extends HTMLElement {
  private source: EntryCell | undefined;
  private unsubscribe: (() => void) | undefined;
  private readonly slots = new BlockSlots(this);
  private stream = new BlockStream();
  private received = '';
  private finished = false;
  private timer: number | undefined;
  private workMs = 0;

  set cell(cell: EntryCell) {
    if (cell === this.source) return;
    this.source = cell;
    if (this.isConnected) this.follow(cell);
  }

  connectedCallback(): void {
    this.addEventListener('click', followLink);
    this.addEventListener('auxclick', followLink);
    if (this.source) this.follow(this.source);
    this.slots.far.watch();
  }

  disconnectedCallback(): void {
    this.removeEventListener('click', followLink);
    this.removeEventListener('auxclick', followLink);
    this.unsubscribe?.();
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.slots.far.rest();
  }

  /** Also draws blocks that are far from the viewport. */
  drawAll(): void {
    this.slots.far.drawAll();
  }

  private follow(cell: EntryCell): void {
    this.unsubscribe?.();
    this.unsubscribe = cell.subscribe((change) => {
      if (change.op === 'append' && !this.finished) this.take(change.text);
      else this.takeWhole(cell.text);
      this.timer ??= window.setTimeout(() => this.flush(), this.rest());
    });
    this.takeWhole(cell.text);
    this.flush();
  }

  private rest(): number {
    return Math.min(Math.max(FRAME_MS, this.workMs * REST_PER_WORK), LONGEST_REST_MS);
  }

  private take(text: string): void {
    const room = Math.max(0, LONGEST_SHOWN - this.received.length);
    this.received += text;
    this.stream.append(text.slice(0, room));
  }

  private takeWhole(text: string): void {
    if (!this.finished && text.startsWith(this.received)) {
      this.take(text.slice(this.received.length));
    } else if (text !== this.received) {
      this.restart(text);
    }
  }

  private restart(text: string): void {
    this.stream = new BlockStream();
    this.slots.clear();
    this.received = '';
    this.finished = false;
    this.take(text);
  }

  private flush(): void {
    this.timer = undefined;
    if (this.finished) return;
    const start = performance.now();
    this.slots.settle(this.stream.settle());
    if (this.source?.streaming) this.slots.live(this.stream.live(), true);
    else this.finish();
    this.workMs = performance.now() - start;
  }

  private finish(): void {
    const rest = this.stream.finish();
    if (this.stream.hasDefinitions) {
      // `[id]: url` may follow the blocks that use it: parse the whole text again, now that it is complete.
      this.restart(this.received);
      this.slots.settle(this.stream.finish());
    } else {
      this.slots.settle(rest);
    }
    if (this.received.length > LONGEST_SHOWN) this.slots.settle([theRest(this.received.length)]);
    this.slots.live([], false);
    this.finished = true;
  }
}

function theRest(length: number): Token {
  const text = l10n.t('The rest is not shown here. The text has {0} characters in total.', formatCount(length));
  return { type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text, escaped: false }] };
}

/** A click on a link becomes a message and never reaches VS Code's own link handling. */
function followLink(this: HTMLElement, event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link) return;
  event.preventDefault();
  event.stopPropagation();
  const { path, line } = link.dataset;
  if (path !== undefined) {
    postToHost(this, { type: 'openFile', path, ...(line === undefined ? {} : { line: Number(line) }) });
  } else {
    postToHost(this, { type: 'openLink', url: link.href });
  }
}

customElements.define('gantry-markdown', StreamedMarkdown);

declare global {
  interface HTMLElementTagNameMap {
    'gantry-markdown': StreamedMarkdown;
  }
}

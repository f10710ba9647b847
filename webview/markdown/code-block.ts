import * as l10n from '@vscode/l10n';
import { html, noChange, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { Directive, directive, type ElementPart } from 'lit/directive.js';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import { announce, postToHost } from '../base/events.ts';
import { type IconName, icon } from '../base/icons.ts';
import { CodePaint } from './code-paint.ts';
import { DrawnBlock } from './drawn-block.ts';
import { morphText } from './morph.ts';

/** Long enough to be noticed, and short enough that copying again shows it again. */
const COPIED_MS = 1500;

/** A code block with its language and actions. The head is shown from the opening fence on, so that nothing moves. */
@customElement('gantry-code-block')
export class CodeBlock extends DrawnBlock {
  @property({ attribute: false }) language = '';
  /** The file that the code is for, according to the answer. */
  @property({ attribute: false }) path: string | undefined;
  @state() private copied = false;
  private timer: number | undefined;
  private readonly paint = new CodePaint({ linesPerNode: GROUP, node: (index) => this.groupText(index) });

  override become(other: this): void {
    super.become(other);
    this.language = other.language;
    this.path = other.path;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.paint.show(this.code, this.language, !this.streaming);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
    this.paint.clear();
  }

  protected override updated(): void {
    if (this.isConnected) this.paint.show(this.code, this.language, !this.streaming);
  }

  override render(): TemplateResult {
    const name = this.language === '' ? l10n.t('Code') : l10n.t('Code, {0}', this.language);
    const groups = lineGroups(this.code);
    const caret = (index: number): TemplateResult | typeof nothing =>
      this.streaming && index === groups.length - 1 ? html`<span class="caret"></span>` : nothing;
    return html`<figure class="well">
      <div class="well-head">
        ${this.heading()}
        ${this.copyButton()}
        ${this.button(l10n.t('Insert at cursor'), 'insert', () => this.post({ type: 'insertCode', text: this.code }))}
        ${this.button(l10n.t('Apply as diff'), 'diff-single', () => this.apply())}
        ${this.button(l10n.t('Open in editor'), 'go-to-file', () => this.open())}
      </div>
      <pre tabindex="0" role="group" aria-label=${name}><code>${groups.map(
        (lines, index) => html`<span class="lines" ${grownText(lines)}>${caret(index)}</span>`,
      )}</code></pre>
    </figure>`;
  }

  private heading(): TemplateResult {
    const { path } = this;
    if (path === undefined) return html`<span class="grow cut">${this.language}</span>`;
    const open = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
      this.post({ type: 'openFile', path });
    };
    return html`<span class="grow cut"><a class="ltr" href="#" title=${path} @click=${open} @auxclick=${open}>${path}</a></span>`;
  }

  /** Code can be copied while it is still being written. */
  private copyButton(): TemplateResult {
    return html`<button class="icon" type="button" aria-label=${l10n.t('Copy')} title=${l10n.t('Copy')}
      @click=${() => this.copy()}>${icon(this.copied ? 'check' : 'copy')}</button>`;
  }

  /** Disabled until the code is complete, because actions with incomplete code would have to be undone. */
  private button(name: string, sign: IconName, act: () => void): TemplateResult {
    const waits = this.streaming;
    const title = waits ? l10n.t('{0}: available when the code is complete', name) : name;
    return html`<button class="icon only-in-editor" type="button" aria-label=${name} title=${title}
      aria-disabled=${waits ? 'true' : nothing} @click=${() => (waits ? undefined : act())}>${icon(sign)}</button>`;
  }

  private post(message: ToHost): void {
    postToHost(this, message);
  }

  private apply(): void {
    const { code: text, path } = this;
    this.post({ type: 'applyCode', text, ...(path !== undefined && { path }) });
  }

  private open(): void {
    this.post({ type: 'openCode', text: this.code, language: this.language });
  }

  private copy(): void {
    this.post({ type: 'copy', text: this.code });
    announce(this, l10n.t('Copied'));
    this.copied = true;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.copied = false;
    }, COPIED_MS);
  }

  private groupText(index: number): Text | undefined {
    const text = this.querySelectorAll('.lines')[index]?.firstChild;
    return text instanceof Text ? text : undefined;
  }
}

/** Growing code is laid out again only from its last group on: 3000 lines in one group cost 25 ms a frame. */
const GROUP = 100;

/** Each group ends with its line break, which adds no line at the end of a block. */
function lineGroups(code: string): string[] {
  const groups: string[] = [];
  let start = 0;
  for (let line = 1, end = code.indexOf('\n'); end >= 0; line++, end = code.indexOf('\n', end + 1)) {
    if (line % GROUP !== 0) continue;
    groups.push(code.slice(start, end + 1));
    start = end + 1;
  }
  groups.push(code.slice(start));
  return groups;
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-code-block': CodeBlock;
  }
}

/** The text at the start of an element. New text is appended, so that a selection in the earlier text is kept. */
class GrownText extends Directive {
  override render(_text: string): typeof noChange {
    return noChange;
  }

  override update({ element }: ElementPart, [text]: [string]): typeof noChange {
    const { firstChild } = element;
    if (firstChild instanceof Text) morphText(firstChild, text);
    else element.prepend(text);
    return noChange;
  }
}

const grownText = directive(GrownText);

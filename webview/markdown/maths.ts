import { html, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { loadLater } from '../later/later-bundles.ts';
import { DrawnBlock } from './drawn-block.ts';

/** A formula. Its source is shown until it is drawn, and if it cannot be drawn. */
@customElement('gantry-maths')
export class Maths extends DrawnBlock {
  /** True for a formula on a line of its own. */
  @property({ attribute: false }) isBlock = false;
  @state() private drawn: { readonly code: string; readonly formula: DocumentFragment | undefined } | undefined;

  override become(other: this): void {
    super.become(other);
    this.isBlock = other.isBlock;
  }

  override render(): TemplateResult {
    const formula = this.drawn?.code === this.code ? this.drawn.formula : undefined;
    // A copy, because inserting the fragment into the page would empty it.
    return html`${formula ? formula.cloneNode(true) : html`<code>${this.code}</code>`}`;
  }

  protected override updated(changed: PropertyValues<this>): void {
    this.classList.toggle('is-block', this.isBlock);
    if (changed.has('code') && !this.streaming) void this.draw(this.code);
  }

  private async draw(code: string): Promise<void> {
    const maths = await loadLater('maths').catch(() => undefined);
    if (code === this.code) this.drawn = { code, formula: maths?.mathsOf(code, this.isBlock) };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-maths': Maths;
  }
}

import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { formatCount } from '../../extension/protocol/words/numbers.ts';
import { LightElement } from '../base/light-element.ts';
import { clamp, LONGEST_SHOWN } from './text-excerpt.ts';

/** Plain text that shows its beginning, and the rest on request: a pasted megabyte must not freeze the panel. */
@customElement('gantry-clamped-text')
export class ClampedText extends LightElement {
  @property({ attribute: false }) text = '';
  @property({ attribute: false }) lines = 15;
  @state() private all = false;

  override render(): TemplateResult {
    const beginning = clamp(this.text, this.lines);
    const isCut = beginning.length < this.text.length;
    return html`<div class="plain" dir="auto">${this.all ? this.whole() : beginning}</div>
      ${
        isCut
          ? html`<button class="ghost link" type="button" aria-expanded=${this.all} @click=${this.toggle}>
              ${this.all ? l10n.t('Show less') : l10n.t('Show all')}
            </button>`
          : nothing
      }`;
  }

  private whole(): string {
    if (this.text.length <= LONGEST_SHOWN) return this.text;
    return `${this.text.slice(0, LONGEST_SHOWN)}…\n\n${l10n.t('({0} characters in total)', formatCount(this.text.length))}`;
  }

  showAll(): void {
    this.all = true;
  }

  private toggle(): void {
    this.all = !this.all;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-clamped-text': ClampedText;
  }
}

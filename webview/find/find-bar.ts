import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import type { Found } from '../../extension/protocol/panel/panel-messages.ts';
import { emit } from '../base/events.ts';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';

/** The delay before searching while the user types, because each search covers the whole conversation. */
const TYPING_MS = 120;

/** Searches the conversation. The bar has the focus while it is open; Escape closes it. */
@customElement('gantry-find')
export class FindBar extends LightElement {
  @property({ attribute: false }) words = '';
  @property({ attribute: false }) found: Found | undefined;
  @query('input') private input!: HTMLInputElement;
  private timer: number | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
  }

  /** Selects the whole text, so that typing replaces it. */
  async focusInput(): Promise<void> {
    await this.updateComplete;
    this.input.focus();
    this.input.select();
  }

  override render(): TemplateResult {
    const none = (this.found?.total ?? 0) === 0;
    return html`<div class="find" role="search" aria-label=${l10n.t('Conversation')} @keydown=${this.pressed}>
      <div class="search">
        ${icon('search', 'muted')}
        <input type="text" aria-label=${l10n.t('Find in conversation')} autocomplete="off" spellcheck="false"
          .value=${this.words} @input=${this.typed}>
        <span class="small muted" role="status">${this.count()}</span>
      </div>
      <button class="icon" type="button" aria-label=${l10n.t('Previous match')}
        title=${l10n.t('Previous match (Shift+Enter)')}
        ?disabled=${none} @click=${() => this.go('previous')}>${icon('arrow-up')}</button>
      <button class="icon" type="button" aria-label=${l10n.t('Next match')} title=${l10n.t('Next match (Enter)')}
        ?disabled=${none} @click=${() => this.go('next')}>${icon('arrow-down')}</button>
      <button class="icon" type="button" aria-label=${l10n.t('Close find')} title=${l10n.t('Close (Escape)')}
        @click=${this.close}>${icon('close')}</button>
    </div>`;
  }

  go(go: 'next' | 'previous'): void {
    window.clearTimeout(this.timer);
    emit(this, 'gantry-find', { query: this.input.value, go });
  }

  private count(): string {
    if (!this.found) return '';
    const { total, current } = this.found;
    return current ? l10n.t('{0} of {1}', current.n, total) : l10n.t('None');
  }

  private readonly typed = (): void => {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => emit(this, 'gantry-find', { query: this.input.value, go: 'here' }), TYPING_MS);
  };

  private readonly close = (): void => emit(this, 'gantry-find-close', undefined);

  private readonly pressed = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const isInput = event.target === this.input;
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && isInput) this.go(event.shiftKey ? 'previous' : 'next');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-find': FindBar;
  }
}

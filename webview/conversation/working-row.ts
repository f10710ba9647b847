import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import './clock.ts';

/** The last row while a turn runs: 24 px from Send to the end, whatever happens above it. */
@customElement('gantry-working-row')
export class WorkingRow extends LightElement {
  /** When the turn began, in ms since the epoch. */
  @property({ attribute: false }) since: number | undefined;
  /** It is the reader's turn, so nothing is being counted. */
  @property({ attribute: false }) waiting = false;
  /** A snapshot of the conversation is being made. */
  @property({ attribute: false }) compacting = false;
  /** The model is asked again later; the entry above says when. */
  @property({ attribute: false }) retrying = false;

  override render(): TemplateResult {
    if (this.waiting) {
      return html`<div class="working waiting">${icon('bell-dot')}<span class="grow">${l10n.t('Waiting for you')}</span></div>`;
    }
    return html`<div class="working">
      ${icon('loading', 'spin')}<span class="grow">${this.words()}</span><gantry-clock class="muted" .since=${this.since}></gantry-clock>
    </div>`;
  }

  private words(): string {
    if (this.compacting) return l10n.t('Compacting the conversation…');
    return this.retrying ? l10n.t('Waiting for the model') : l10n.t('Working');
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-working-row': WorkingRow;
  }
}

import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { icon } from '../base/icons.ts';
import { LightElement } from '../base/light-element.ts';
import './clock.ts';

/** The last row while a turn runs. Its height is always 24 px, so that nothing moves. */
@customElement('gantry-working-row')
export class WorkingRow extends LightElement {
  /** When the turn began, in ms since the epoch. */
  @property({ attribute: false }) since: number | undefined;
  /** True if the turn waits for the reader, so no time is counted. */
  @property({ attribute: false }) waiting = false;
  /** True while a snapshot of the conversation is being created. */
  @property({ attribute: false }) compacting = false;
  /** True while the next attempt is pending. The entry above shows its time. */
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

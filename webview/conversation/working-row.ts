import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';
import './clock.ts';

/** The last row while a turn runs: 24 px from Send to the end, whatever happens above it. */
@customElement('gantry-working-row')
export class WorkingRow extends LightElement {
  /** When the turn began, in ms since the epoch. */
  @property({ attribute: false }) since: number | undefined;
  /** It is the reader's turn, so nothing is being counted. */
  @property({ attribute: false }) waiting = false;

  /** The model is asked again later; the entry above says when. */
  @property({ attribute: false }) retrying = false;

  override render(): TemplateResult {
    if (this.waiting) {
      return html`<div class="working waiting">${icon('bell-dot')}<span class="grow">Waiting for you</span></div>`;
    }
    return html`<div class="working">
      ${icon('loading', 'spin')}<span class="grow">${this.retrying ? 'Waiting for the model' : 'Working'}</span><gantry-clock class="muted" .since=${this.since}></gantry-clock>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-working-row': WorkingRow;
  }
}

import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatClock } from '../format.ts';
import { icon } from '../icons.ts';
import { LightElement } from '../light-element.ts';

/** The last row while a turn runs: 24 px from Send to the end, whatever happens above it. */
@customElement('gantry-working-row')
export class WorkingRow extends LightElement {
  /** When the turn began, in ms since the epoch. */
  @property({ attribute: false }) since: number | undefined;
  /** It is the reader's turn, so nothing is being counted. */
  @property({ attribute: false }) waiting = false;
  private timer: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }

  override render(): TemplateResult {
    if (this.waiting) {
      return html`<div class="working waiting">${icon('bell-dot')}<span class="grow">Waiting for you</span></div>`;
    }
    const now = Date.now();
    const elapsed = formatClock((now - (this.since ?? now)) / 1000);
    return html`<div class="working">
      ${icon('loading', 'spin')}<span class="grow">Working</span><span class="muted" role="timer" aria-live="off">${elapsed}</span>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-working-row': WorkingRow;
  }
}

import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatClock } from '../format.ts';
import { TickingElement } from '../ticking-element.ts';

/** Counts up from a moment, second by second. A screen reader is not told each of them. */
@customElement('gantry-clock')
export class ClockView extends TickingElement {
  /** In ms since the epoch. */
  @property({ attribute: false }) since: number | undefined;

  override render(): TemplateResult {
    const now = Date.now();
    return html`<span class="clock" role="timer" aria-live="off">${formatClock((now - (this.since ?? now)) / 1000)}</span>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-clock': ClockView;
  }
}

import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatSeconds } from '../format.ts';
import { TickingElement } from '../ticking-element.ts';

/** Counts down to the next attempt. A screen reader is told once by what stands around it, and not every second. */
@customElement('gantry-countdown')
export class Countdown extends TickingElement {
  /** In ms since the epoch. */
  @property({ attribute: false }) until = 0;

  override render(): TemplateResult {
    const seconds = Math.ceil((this.until - Date.now()) / 1000);
    const words = seconds > 0 ? l10n.t('Trying again in {0}', formatSeconds(seconds)) : l10n.t('Trying again now');
    return html`<span class="clock" role="timer" aria-live="off">${words}</span>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'gantry-countdown': Countdown;
  }
}

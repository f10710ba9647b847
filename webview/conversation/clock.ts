import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { formatClock, formatSeconds } from '../base/format.ts';
import { LightElement } from '../base/light-element.ts';

/** Renders again every second while it is on the page. */
class TickingElement extends LightElement {
  private timer: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.timer = window.setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.timer);
  }
}

/** Counts up the seconds since a point in time. Screen readers don't announce the ticks. */
@customElement('gantry-clock')
export class ClockView extends TickingElement {
  /** In ms since the epoch. */
  @property({ attribute: false }) since: number | undefined;

  override render(): TemplateResult {
    const now = Date.now();
    return html`<span class="clock" role="timer" aria-live="off">${formatClock((now - (this.since ?? now)) / 1000)}</span>`;
  }
}

/** Counts down to the next attempt. Screen readers announce the surrounding text once, but not the ticks. */
@customElement('gantry-countdown')
class Countdown extends TickingElement {
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
    'gantry-clock': ClockView;
    'gantry-countdown': Countdown;
  }
}

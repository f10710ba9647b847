import { LightElement } from './light-element.ts';

/** Drawn again every second, as long as it is on the page. */
export class TickingElement extends LightElement {
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

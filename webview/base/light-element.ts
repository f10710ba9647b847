import { LitElement } from 'lit';

/** Renders without a shadow root, so all elements share one stylesheet and one icon font. */
export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

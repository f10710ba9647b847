import { LitElement } from 'lit';

/** Renders into the page itself, so one stylesheet and one icon font serve every part. */
export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Stands for entries that are not drawn, as high as they are thought to be. */
export class Gap extends HTMLElement {
  /** In pixels. Not as an attribute: the page's policy allows no inline style. */
  set size(size: number) {
    this.style.height = `${size}px`;
  }
}

customElements.define('gantry-gap', Gap);

declare global {
  interface HTMLElementTagNameMap {
    'gantry-gap': Gap;
  }
}

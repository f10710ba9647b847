/**
 * Mermaid styles its picture with a style element, which the page's policy rightly forbids. In its place (esbuild.mjs)
 * stands this one: the rules are there while the picture is laid out, and go into the picture afterwards.
 */
export class DiagramStyle extends HTMLElement {
  private sheet: CSSStyleSheet | undefined;

  connectedCallback(): void {
    const rules = this.textContent ?? '';
    // What is in the drawing as text would be drawn.
    this.textContent = '';
    this.sheet = new CSSStyleSheet();
    this.sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(this.sheet);
    this.dispatchEvent(new CustomEvent(STYLED, { detail: rules, bubbles: true }));
  }

  disconnectedCallback(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== this.sheet);
  }
}

/** Carries the rules. */
export const STYLED = 'gantry-diagram-styled';

export function defineDiagramStyle(): void {
  customElements.get('gantry-diagram-style') ?? customElements.define('gantry-diagram-style', DiagramStyle);
}

declare global {
  interface HTMLElementEventMap {
    [STYLED]: CustomEvent<string>;
  }
}

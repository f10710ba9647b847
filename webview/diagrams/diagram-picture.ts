import { escapeHtml } from '../base/escape-html.ts';

/**
 * Mermaid styles its diagrams with a style element, which the content security policy forbids. This element replaces it
 * (build/slim-mermaid.mjs): the rules apply while the diagram is laid out, and are inserted into the picture
 * afterwards.
 */
export class DiagramStyle extends HTMLElement {
  private sheet: CSSStyleSheet | undefined;

  connectedCallback(): void {
    const rules = this.textContent ?? '';
    // The rules would otherwise be drawn as text.
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

/** An event that carries the rules. */
export const STYLED = 'gantry-diagram-styled';

export function defineDiagramStyle(): void {
  customElements.get('gantry-diagram-style') ?? customElements.define('gantry-diagram-style', DiagramStyle);
}

declare global {
  interface HTMLElementEventMap {
    [STYLED]: CustomEvent<string>;
  }
}

/** Elements that a picture doesn't need and a diagram must not contain. */
const LEFT_OUT = 'script, foreignObject, iframe, image, use, a, animate, animateMotion, animateTransform, set';

/** Converts a diagram to a data: URL of a picture, in the size of its layout. */
export function pictureOf(svg: string, rules: string): string {
  const drawing = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (!drawing) throw new Error('There is no drawing.');
  for (const element of drawing.querySelectorAll(LEFT_OUT)) element.replaceWith(...element.childNodes);
  const [, , width = 0, height = 0] = (drawing.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error('The drawing has no size.');
  drawing.setAttribute('width', String(Math.ceil(width)));
  drawing.setAttribute('height', String(Math.ceil(height)));
  // While they are in the page, style attributes of its elements have another name (build/slim-mermaid.mjs).
  const text = new XMLSerializer().serializeToString(drawing).replaceAll(' data-style="', ' style="');
  const styled = text.replace(/^<svg[^>]*>/, (opening) => `${opening}<style>${escapeHtml(rules)}</style>`);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(styled)}`;
}

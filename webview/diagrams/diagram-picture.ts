import { escapeHtml } from '../base/escape-html.ts';

/**
 * Mermaid styles its picture with a style element, which the page's policy rightly forbids. In its place (build/slim-mermaid.mjs)
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

/** What a picture has no use for, and a drawing must not have. */
const LEFT_OUT = 'script, foreignObject, iframe, image, use, a, animate, animateMotion, animateTransform, set';

/** A drawing as the address of a picture, as large as it was laid out. */
export function pictureOf(svg: string, rules: string): string {
  const drawing = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (!drawing) throw new Error('There is no drawing.');
  for (const element of drawing.querySelectorAll(LEFT_OUT)) element.replaceWith(...element.childNodes);
  const [, , width = 0, height = 0] = (drawing.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (!(width > 0 && height > 0)) throw new Error('The drawing has no size.');
  drawing.setAttribute('width', String(Math.ceil(width)));
  drawing.setAttribute('height', String(Math.ceil(height)));
  // The styles of its parts have another name as long as they are in a page (build/slim-mermaid.mjs).
  const text = new XMLSerializer().serializeToString(drawing).replaceAll(' data-style="', ' style="');
  const styled = text.replace(/^<svg[^>]*>/, (opening) => `${opening}<style>${escapeHtml(rules)}</style>`);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(styled)}`;
}

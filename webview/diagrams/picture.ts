import { escapeHtml } from '../escape-html.ts';

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
  // The styles of its parts have another name as long as they are in a page (esbuild.mjs).
  const text = new XMLSerializer().serializeToString(drawing).replaceAll(' data-style="', ' style="');
  const styled = text.replace(/^<svg[^>]*>/, (opening) => `${opening}<style>${escapeHtml(rules)}</style>`);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(styled)}`;
}

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
  const style = drawing.ownerDocument.createElementNS(SVG, 'style');
  style.textContent = rules;
  drawing.prepend(style);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
}

const SVG = 'http://www.w3.org/2000/svg';

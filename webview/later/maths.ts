import DOMPurify, { type Config } from 'dompurify';
import temml from 'temml';
import { offerLater } from './later-bundles.ts';

/** Nobody writes longer formulas. */
const LONGEST = 5000;

const CONFIG = {
  USE_PROFILES: { mathMl: true },
  // Elements and attributes that load, link or style.
  FORBID_TAGS: ['annotation', 'annotation-xml', 'semantics', 'maction', 'mglyph', 'style'],
  FORBID_ATTR: ['href', 'xlink:href', 'style', 'id', 'src'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

/** A formula as MathML, which the browser draws with its own fonts. Undefined if the source is invalid. */
export function mathsOf(tex: string, isBlock: boolean): DocumentFragment | undefined {
  if (tex.length > LONGEST) return undefined;
  try {
    // `trust: false` prevents links and pictures. `maxExpand` limits the expansion of macros.
    const options = { displayMode: isBlock, throwOnError: true, trust: false, maxExpand: 500, strict: false };
    const markup = temml.renderToString(tex, { ...options, maxSize: [20, 200] });
    // Style attributes would each be reported as a violation of the content security policy.
    return DOMPurify.sanitize(markup.replaceAll(/ style="[^"]*"/g, ''), CONFIG);
  } catch {
    return undefined;
  }
}

offerLater('maths', { mathsOf });

import DOMPurify, { type Config } from 'dompurify';
import temml from 'temml';
import { offerLater } from './later-bundles.ts';

/** A formula that takes more is not one that a person wrote. */
const LONGEST = 5000;

const CONFIG = {
  USE_PROFILES: { mathMl: true },
  // What loads, links or styles.
  FORBID_TAGS: ['annotation', 'annotation-xml', 'semantics', 'maction', 'mglyph', 'style'],
  FORBID_ATTR: ['href', 'xlink:href', 'style', 'id', 'src'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

/** A formula as MathML, which the browser draws with its own fonts. Undefined for what is none. */
export function mathsOf(tex: string, isBlock: boolean): DocumentFragment | undefined {
  if (tex.length > LONGEST) return undefined;
  try {
    // Without trust there are no links and no pictures; macros may not grow without end.
    const options = { displayMode: isBlock, throwOnError: true, trust: false, maxExpand: 500, strict: false };
    const markup = temml.renderToString(tex, { ...options, maxSize: [20, 200] });
    // The page's policy would complain about each of them.
    return DOMPurify.sanitize(markup.replaceAll(/ style="[^"]*"/g, ''), CONFIG);
  } catch {
    return undefined;
  }
}

offerLater('maths', { mathsOf });

import DOMPurify, { type Config } from 'dompurify';
import { ADDRESS_ATTRIBUTES, ALLOWED_HREF, ALLOWED_TAGS, PLAIN_ATTRIBUTES } from './policy.ts';

const CONFIG = {
  ALLOWED_TAGS: [...ALLOWED_TAGS],
  ALLOWED_ATTR: [...ADDRESS_ATTRIBUTES, ...PLAIN_ATTRIBUTES],
  ADD_URI_SAFE_ATTR: [...PLAIN_ATTRIBUTES],
  ALLOWED_URI_REGEXP: ALLOWED_HREF,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

/** The only place where HTML text becomes elements. */
export function sanitisedFragment(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, CONFIG);
}

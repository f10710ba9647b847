/** The target of a link in an answer. Anything that is not clearly a file or a web address has no target. */
export type LinkTarget =
  | { readonly kind: 'file'; readonly path: string; readonly line?: number }
  | { readonly kind: 'web'; readonly url: string }
  | { readonly kind: 'inert' };

const INERT: LinkTarget = { kind: 'inert' };

const WEB = /^(?:https?|mailto):/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const WINDOWS_DRIVE = /^[a-z]:[\\/]/i;
/** `//host` and `\\host`: opening a UNC path sends the user's credentials to that host. */
const NETWORK_PATH = /^[\\/]{2}/;
/** `:41`, `:41:7`, `:41-60` */
const COLON_LINE = /:(\d{1,7})(?:[:-]\d{1,7})?$/;
/** `#L41`, `#L41C7`, `#L41-L60` */
const HASH_LINE = /#L(\d{1,7})(?:C\d{1,7})?(?:-L?\d{1,7}(?:C\d{1,7})?)?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters hide where a link leads
const CONTROL = /[\u0000-\u001f\u007f]/;

export function classifyLink(href: string): LinkTarget {
  const target = href.trim();
  if (target === '' || target.startsWith('#') || CONTROL.test(target)) return INERT;
  if (WEB.test(target)) return URL.canParse(target) ? { kind: 'web', url: target } : INERT;
  const { path, line } = splitLine(target);
  const file = /^file:/i.test(path) ? pathOfFileUrl(path) : decode(path);
  if (file === undefined || CONTROL.test(file) || NETWORK_PATH.test(file)) return INERT;
  if (SCHEME.test(file) && !WINDOWS_DRIVE.test(file)) return INERT;
  return line === undefined ? { kind: 'file', path: file } : { kind: 'file', path: file, line };
}

function splitLine(target: string): { path: string; line?: number } {
  const hash = HASH_LINE.exec(target);
  if (hash) return { path: target.slice(0, hash.index), line: Number(hash[1]) };
  const colon = COLON_LINE.exec(target);
  // `word:12` could also be a scheme. A path is recognised by a dot or a slash.
  if (colon && /[./\\]/.test(target.slice(0, colon.index))) {
    return { path: target.slice(0, colon.index), line: Number(colon[1]) };
  }
  return { path: target };
}

function pathOfFileUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { host, pathname } = new URL(url);
  if (host !== '') return undefined;
  const path = decode(pathname);
  return path !== undefined && /^\/[a-z]:\//i.test(path) ? path.slice(1) : path;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.includes('\0') ? undefined : path;
  }
}

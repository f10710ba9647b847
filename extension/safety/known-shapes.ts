import { isWordy } from './randomness.ts';
import type { SecretKind, SecretSpan } from './secret-kinds.ts';

/**
 * What issuers write at the beginning of their keys. Each begins where no letter, digit or underscore is before it and has bounded
 * length or no sign of its beginning inside, so that the time is linear.
 */
const SHAPES: readonly (readonly [kind: SecretKind, pattern: string])[] = [
  ['google-key', 'AIza[\\w-]{35}'],
  ['google-key', 'GOCSPX-[\\w-]{20,40}'],
  ['google-key', 'ya29\\.[\\w-]{20,2048}'],
  ['github-token', 'gh[pousr]_[A-Za-z0-9]{36,255}'],
  ['github-token', 'github_pat_\\w{22,255}'],
  ['gitlab-token', 'glpat-[\\w-]{20,64}'],
  ['aws-key', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['slack-token', 'xox[abeoprs]-[A-Za-z0-9-]{10,250}'],
  ['slack-token', 'xapp-\\d-[A-Za-z0-9-]{20,250}'],
  ['stripe-key', '[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}'],
  ['stripe-key', 'whsec_[A-Za-z0-9]{24,64}'],
  ['npm-token', 'npm_[A-Za-z0-9]{36}'],
  ['api-key', 'sk-[\\w-]{20,250}'],
  ['api-key', 'hf_[A-Za-z0-9]{30,40}'],
  ['api-key', 'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}'],
  ['api-key', 'dop_v1_[a-f0-9]{64}'],
  ['api-key', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'],
  ['api-key', 'pypi-[\\w-]{50,250}'],
];

/** One pass for all of them; a group for each tells which it was. */
const ANY_SHAPE = new RegExp(`(?<![A-Za-z0-9_])(?:${SHAPES.map(([, pattern]) => `(${pattern})`).join('|')})`, 'g');

/** Three parts, of which the first two are JSON objects. A token begins where no character of one is before it. */
const JWT = /(?<![\w-])eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]{10,}/g;

export function knownShapes(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const match of text.matchAll(ANY_SHAPE)) {
    const kind = SHAPES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]?.[0];
    // Names of styles and packages have such beginnings too ("sk-folding-cube-animation").
    if (kind && !(mayBeWords(match[0]) && isWordy(match[0]))) found.push(spanOf(match, kind));
  }
  if (text.includes('eyJ')) for (const match of text.matchAll(JWT)) found.push(spanOf(match, 'jwt'));
  return found;
}

function mayBeWords(text: string): boolean {
  return /^(?:sk-|xox|pypi-|glpat-|GOCSPX-)/.test(text);
}

function spanOf(match: RegExpExecArray, kind: SecretKind): SecretSpan {
  return { start: match.index, end: match.index + match[0].length, kind };
}

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The body of one that was cut off: lines of base64 and their breaks, also written as escapes. */
const BODY = /(?:[A-Za-z0-9+/=:, \t\r\n-]|\\[nr])*/y;
/** An RSA key of 16,384 bits has 13 kB. */
const LONGEST_KEY = 20_000;

/** Private keys between their lines, or up to the end of what was cut off. */
export function privateKeys(text: string): SecretSpan[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const found: SecretSpan[] = [];
  let end = -1;
  for (const { index: start, 0: line } of text.matchAll(BEGIN)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    if (end !== Number.POSITIVE_INFINITY && end <= start) end = endAfter(text, start);
    const isWhole = end - start <= LONGEST_KEY;
    found.push({ start, end: isWhole ? end : bodyEnd(text, start + line.length), kind: 'private-key' });
  }
  return found;
}

function endAfter(text: string, from: number): number {
  END.lastIndex = from;
  const match = END.exec(text);
  return match ? match.index + match[0].length : Number.POSITIVE_INFINITY;
}

function bodyEnd(text: string, from: number): number {
  BODY.lastIndex = from;
  return from + (BODY.exec(text)?.[0].trimEnd().length ?? 0);
}

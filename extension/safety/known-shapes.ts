import { once } from '../base/once.ts';
import { isWordy } from './randomness.ts';
import type { SecretKind, SecretSpan } from './secret-kinds.ts';
import { VENDOR_INFIXES, VENDOR_SHAPES } from './vendor-shapes.ts';

/** The prefixes of keys by issuer. No shape can begin again inside itself without having matched. */
const SHAPES: readonly (readonly [kind: SecretKind, begins: string, pattern: string])[] = [
  ['google-key', 'AI', 'AIza[\\w-]{35}'],
  ['google-key', 'GO', 'GOCSPX-[\\w-]{20,40}'],
  ['google-key', 'ya', 'ya29\\.[\\w-]{20,2048}'],
  ['google-key', '1/', '1//0[\\w-]{30,250}'],
  ['github-token', 'gh', 'gh[pousr]_[A-Za-z0-9]{30,255}'],
  ['github-token', 'gi', 'github_pat_\\w{22,255}'],
  ['gitlab-token', 'gl', 'glpat-[\\w-]{20,64}'],
  ['aws-key', 'AK', 'AKIA[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['aws-key', 'AS', 'ASIA[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['aws-key', 'AB', 'ABIA[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['aws-key', 'AC', 'ACCA[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['aws-key', 'A3', 'A3T[A-Z0-9]{17}(?![A-Za-z0-9])'],
  ['slack-token', 'xo', 'xox[abeoprs]-[A-Za-z0-9-]{10,250}'],
  ['slack-token', 'xa', 'xapp-\\d-[A-Za-z0-9-]{20,250}'],
  ['stripe-key', 'sk', 'sk_(?:live|test)_[A-Za-z0-9]{16,250}'],
  ['stripe-key', 'rk', 'rk_(?:live|test)_[A-Za-z0-9]{16,250}'],
  ['stripe-key', 'wh', 'whsec_[A-Za-z0-9]{24,64}'],
  ['npm-token', 'np', 'npm_[A-Za-z0-9]{36}'],
  ['api-key', 'sk', 'sk-[\\w-]{20,250}'],
  ['api-key', 'hf', 'hf_[A-Za-z0-9]{30,40}'],
  ['api-key', 'SG', 'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}'],
  ['api-key', 'do', 'dop_v1_[a-f0-9]{64}'],
  ['api-key', 'sh', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'],
  ['api-key', 'py', 'pypi-[\\w-]{50,250}'],
  /** Three parts; the first two are JSON objects. */
  ['jwt', 'ey', '(?<!-)eyJ[\\w-]{5,}\\.eyJ[\\w-]{5,}\\.[\\w-]*'],
];

interface KnownShape {
  readonly kind: SecretKind;
  readonly source: string;
}

/** By the first two letters. */
const KNOWN = new Map<string, KnownShape[]>();
for (const [kind, begins, source] of SHAPES) know(begins, { kind, source });
for (const source of VENDOR_SHAPES)
  for (const begins of beginningsOf(source)) know(begins, { kind: 'api-key', source });

function know(begins: string, shape: KnownShape): void {
  const others = KNOWN.get(begins);
  if (others) others.push(shape);
  else KNOWN.set(begins, [shape]);
}

/** `[sr]k_…` has two possible beginnings. */
function beginningsOf(source: string): readonly string[] {
  const [, choice, first = '', second = ''] = /^(?:\[(\w+)\]|(\w))(.)/.exec(source) ?? [];
  return [...(choice ?? first)].map((letter) => letter + second);
}

/** The first two letters of each known shape. */
export const SHAPES_BEGIN_WITH: readonly string[] = [...KNOWN.keys()];

/** The class of the possible third characters. They rule out nine of ten words with the same first two letters. */
function thirdOf(source: string): string {
  const [, rest = ''] = /^(?:\(\?<![^)]*\))?(?:\[\w+\]|\w)\\?.(.*)$/.exec(source) ?? [];
  const [choice = ''] = /^\[[^\]]+\]|^\\?./.exec(rest) ?? [];
  const [, options] = /^\(\?:([^()]*)/.exec(rest) ?? [];
  return options === undefined ? choice : `[${options.replace(/(^|\|)\W?(\w)[^|]*/g, '$2')}]`;
}

const ASCII = String.fromCharCode(...Array(128).keys());

/** The codes of the third characters with which a shape may begin after these letters of `SHAPES_BEGIN_WITH`. */
export function thirdsAfter(beginning: number): number[] {
  const shapes = KNOWN.get(SHAPES_BEGIN_WITH[beginning] ?? '') ?? [];
  return shapes.flatMap(({ source }) => codesIn(thirdOf(source)));
}

/** A few dozen classes stand in hundreds of shapes, and this runs at every start. */
const CODES = new Map<string, readonly number[]>();

function codesIn(characters: string): readonly number[] {
  const known = CODES.get(characters);
  if (known) return known;
  // Searching all characters at once is much faster than testing each.
  const codes = [...ASCII.matchAll(new RegExp(characters, 'g'))].map(({ index }) => index);
  CODES.set(characters, codes);
  return codes;
}

const GROUPS = SHAPES_BEGIN_WITH.map((letters) =>
  once(() => {
    const shapes = KNOWN.get(letters) ?? [];
    const pattern = new RegExp(shapes.map(({ source }) => `(${source})`).join('|'), 'y');
    return { pattern, kinds: shapes.map(({ kind }) => kind) };
  }),
);

export interface Shape {
  /** Undefined if the text only resembles a secret. */
  readonly kind: SecretKind | undefined;
  readonly end: number;
}

/**
 * The shape at a position without a letter, digit or underscore before it, which begins with these letters of
 * `SHAPES_BEGIN_WITH`.
 */
export function shapeAt(text: string, at: number, beginning: number): Shape | undefined {
  const shapes = GROUPS[beginning]?.();
  if (!shapes) return undefined;
  shapes.pattern.lastIndex = at;
  const match = shapes.pattern.exec(text);
  if (!match) return undefined;
  const kind = shapes.kinds[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
  // Names of styles and packages may begin in the same way ("sk-folding-cube-animation").
  const isName = MAY_BE_WORDS.test(match[0]) && isWordy(match[0]) && !MIXED.test(match[0].replace(MAY_BE_WORDS, ''));
  return { kind: isName ? undefined : kind, end: at + match[0].length };
}

const INFIXES = Object.entries(VENDOR_INFIXES);

/** Finds shapes whose known characters are in the middle. */
export function shapesByInfix(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const [infix, pattern] of INFIXES) {
    for (let at = text.indexOf(infix); at >= 0; at = text.indexOf(infix, at + infix.length)) {
      const from = Math.max(0, at - BEFORE_INFIX);
      const match = pattern.exec(text.slice(from, at + AFTER_INFIX));
      if (!match) continue;
      const start = from + match.index;
      found.push({ start, end: start + match[0].length, kind: 'api-key' });
    }
  }
  return found;
}

/** Longer than the text of any such shape before and after its infix. */
const BEFORE_INFIX = 32;
const AFTER_INFIX = 256;

/** Names like these are in lowercase, or have no digits. */
const MIXED = /^(?=.*\d).*[A-Z]/;
const MAY_BE_WORDS = /^(?:sk-|xox|pypi-|gl[a-z]+-|GOCSPX-|tk-us-|sq0[a-z]+-|pscale_[a-z]+_)/;

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** The body of a truncated key: lines of base64 and line breaks, which may be escaped. */
const BODY = /(?:[A-Za-z0-9+/=:, \t\r\n-]|\\[nr])*/y;
/** An RSA key of 16,384 bits takes up 13 kB. */
const LONGEST_KEY = 20_000;

/** Private keys between their BEGIN and END lines, and keys with one end cut off. */
export function privateKeys(text: string): SecretSpan[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const found: SecretSpan[] = [];
  let end = -1;
  for (const { index: start, 0: line } of text.matchAll(BEGIN)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    if (end <= start) end = endAfter(text, start);
    const isWhole = end - start <= LONGEST_KEY;
    found.push({ start, end: isWhole ? end : bodyEnd(text, start + line.length), kind: 'private-key' });
  }
  return [...found, ...endsOfKeys(text, found)];
}

/** The last lines of keys whose beginning is missing, e.g. where the tail of a long output begins. */
function endsOfKeys(text: string, keys: readonly SecretSpan[]): SecretSpan[] {
  const found: SecretSpan[] = [];
  let [next, floor] = [0, 0];
  END.lastIndex = 0;
  for (const { index, 0: line } of text.matchAll(END)) {
    for (; (keys[next]?.start ?? text.length) < index; next++) floor = Math.max(floor, keys[next]?.end ?? 0);
    const end = index + line.length;
    const start = end <= floor ? index : bodyStart(text, Math.max(floor, index - LONGEST_KEY), index);
    if (start < index) found.push({ start, end, kind: 'private-key' });
    floor = Math.max(floor, end);
  }
  return found;
}

const LINE_BREAK = /\r?\n|(?:\\r)?\\n/g;
const BASE64_LINE = /^[ \t]*[A-Za-z0-9+/]+={0,2}[ \t]*$/;

/** Where the base64 lines before this position begin, not before `floor`. */
function bodyStart(text: string, floor: number, at: number): number {
  const before = text.slice(floor, at);
  let [start, end] = [before.length, before.length];
  for (const { index, 0: lineBreak } of [...before.matchAll(LINE_BREAK)].toReversed()) {
    const line = before.slice(index + lineBreak.length, end);
    if (line.trim() !== '' && !BASE64_LINE.test(line)) return floor + start;
    if (line.trim() !== '') start = index + lineBreak.length;
    end = index;
  }
  return floor + (BASE64_LINE.test(before.slice(0, end)) ? 0 : start);
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

import { assignedAt, inAddressAt, inHeaderAt } from './assigned-secrets.ts';
import { escapedSecrets } from './escaped-secrets.ts';
import { privateKeys, SHAPES_BEGIN_WITH, shapeAt, shapesByInfix, thirdsAfter } from './known-shapes.ts';
import { PLACEHOLDER } from './placeholder.ts';
import { randomBetween, SHORTEST_RANDOM } from './random-texts.ts';
import { type SecretKind, type SecretSpan, surer } from './secret-kinds.ts';
import { keyLineBetween, publicBlocks, writtenSecrets } from './written-secrets.ts';

/** Shorter texts cannot contain a secret. */
const SHORTEST = 8;

/**
 * Everything in the text that looks like a credential, in order, without overlaps. The time is linear in the length of
 * the text.
 */
export function findSecrets(text: string): SecretSpan[] {
  const harmless = text.length <= LONGEST_NAME ? harmlessNames : harmlessTexts;
  if (text.length < SHORTEST || harmless.has(text)) return [];
  const found = [...plainSecrets(text), ...escapedSecrets(text, plainSecrets)];
  if (found.length > 0) return besidePlaceholders(text, merged(found));
  if (harmless.size >= (harmless === harmlessNames ? MOST_NAMES : MOST_TEXTS)) harmless.clear();
  if (text.length <= LONGEST_TEXT) harmless.add(text);
  return found;
}

/** A cache of short texts without secrets, because names of fields and states come again with every call. */
const harmlessNames = new Set<string>();
const MOST_NAMES = 1000;
const LONGEST_NAME = 50;

/** The last longer texts without secrets, because each new text is searched again right before it is sent. */
const harmlessTexts = new Set<string>();
const MOST_TEXTS = 20;
const LONGEST_TEXT = 200_000;

function plainSecrets(text: string): SecretSpan[] {
  const codes = codesOf(text);
  return [
    ...privateKeys(text),
    ...shapesByInfix(text),
    ...shapesAndHeaders(text, codes),
    ...randomTexts(text, codes),
    ...assigned(text, '='),
    ...assigned(text, ':'),
    ...writtenSecrets(text),
  ];
}

/**
 * Converts the text to an array of numbers, which is several times as fast to read as a string. Two trailing zeros mark
 * the end.
 */
function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length + 2);
  Buffer.from(codes.buffer).write(text, 'utf16le');
  return codes;
}

/** Indexed by character code: all of them, so that the loops below need neither a function nor a limit. */
const IN_WORD = classOf(/\w/);
const IN_TOKEN = classOf(/[\w+/-]/);

function classOf(pattern: RegExp): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let code = 0; code < 128; code++) table[code] = pattern.test(String.fromCharCode(code)) ? 1 : 0;
  return table;
}

/** Indexed by the codes of two characters: one plus the index of the shapes that begin with them. */
const BEGINNINGS = new Uint8Array(128 * 128);
for (const [index, begins] of [...SHAPES_BEGIN_WITH, 'Be', 'Ba'].entries())
  BEGINNINGS[begins.charCodeAt(0) * 128 + begins.charCodeAt(1)] = index + 1;

/** Indexed by that value and the code of the third character: whether that character is possible there. */
const THIRDS = new Uint8Array(256 * 128);
for (const index of SHAPES_BEGIN_WITH.keys())
  for (const code of thirdsAfter(index)) THIRDS[(index + 1) * 128 + code] = 1;
// The names of headers have no such restriction.
THIRDS.fill(1, (SHAPES_BEGIN_WITH.length + 1) * 128, (SHAPES_BEGIN_WITH.length + 3) * 128);

const BACKSLASH = 92;
const LETTER_N = 110;
const LETTER_R = 114;
const LETTER_T = 116;

/** Continues after each match instead of searching inside it, so that no character is read more than a few times. */
function shapesAndHeaders(text: string, codes: Uint16Array): SecretSpan[] {
  const found: SecretSpan[] = [];
  const { length } = text;
  for (let at = nextBeginning(codes, 0, length); at < length; at = nextBeginning(codes, at, length)) {
    const beginning = (BEGINNINGS[pairAt(codes, at)] as number) - 1;
    const shape = shapeAt(text, at, beginning);
    if (shape?.kind) found.push({ start: at, end: shape.end, kind: shape.kind });
    const header = beginning < SHAPES_BEGIN_WITH.length ? undefined : inHeaderAt(text, at);
    if (header) found.push(header);
    at = shape?.end ?? at + 1;
  }
  return found;
}

/** The next word that begins like a known shape. This loop does all the work for most characters. */
function nextBeginning(codes: Uint16Array, from: number, length: number): number {
  let last = from > 0 ? (IN_WORD[codes[from - 1] as number] as number) : 0;
  for (let at = from; at < length; at++) {
    const code = codes[at] as number;
    const now = IN_WORD[code] as number;
    if ((now & ~last) !== 0) {
      const begins = BEGINNINGS[pairAt(codes, at)] as number;
      if (begins !== 0 && THIRDS[(begins << 7) | ((codes[at + 2] as number) & 127)] === 1) return at;
    }
    last = now;
    // In JSON, the `n` of an escaped line break is not part of the word after it.
    if (code === BACKSLASH && isEscaped(codes[at + 1] as number)) at++;
  }
  return length;
}

function pairAt(codes: Uint16Array, at: number): number {
  return (((codes[at] as number) & 127) << 7) | ((codes[at + 1] as number) & 127);
}

function isEscaped(code: number): boolean {
  return code === LETTER_N || code === LETTER_R || code === LETTER_T;
}

/**
 * Every run of at least `SHORTEST_RANDOM` characters covers one of the positions checked here, so all others are
 * skipped.
 */
function randomTexts(text: string, codes: Uint16Array): SecretSpan[] {
  const found: SecretSpan[] = [];
  const { length } = text;
  const isInPublicBlock = publicBlocks(text);
  for (let at = SHORTEST_RANDOM - 1; at < length; at += SHORTEST_RANDOM) {
    if (IN_TOKEN[codes[at] as number] === 0) continue;
    let [start, end] = [at, at + 1];
    while (start > 0 && IN_TOKEN[codes[start - 1] as number] !== 0) start--;
    while (IN_TOKEN[codes[end] as number] !== 0) end++;
    if (codes[start - 1] === BACKSLASH && isEscaped(codes[start] as number)) start++;
    if (end - start >= SHORTEST_RANDOM) {
      const span = randomBetween(text, start, end) ?? keyLineBetween(text, start, end, isInPublicBlock);
      if (span) found.push(span);
      at += Math.floor((end - 1 - at) / SHORTEST_RANDOM) * SHORTEST_RANDOM;
    }
  }
  return found;
}

/** Values assigned with this sign, and passwords in addresses. */
function assigned(text: string, sign: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    const span = assignedAt(text, at) ?? (text.startsWith('//', at + 1) ? inAddressAt(text, at) : undefined);
    if (!span) continue;
    found.push(span);
    at = Math.max(at, span.end - 1);
  }
  return found;
}

/** All occurrences of these values. */
export function findValues(text: string, values: ReadonlyMap<string, SecretKind>): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const [value, kind] of values) {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      found.push({ start: at, end: at + value.length, kind });
    }
  }
  return found;
}

/** Sorts the spans and merges those that overlap. */
export function merged(spans: readonly SecretSpan[]): SecretSpan[] {
  const result: SecretSpan[] = [];
  for (const span of [...spans].sort((left, right) => left.start - right.start)) {
    const last = result.at(-1);
    if (!last || span.start >= last.end) result.push(span);
    else {
      const kind = surer(last.kind, span.kind);
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind };
    }
  }
  return result;
}

/** Skips placeholders of earlier replacements, so that a second pass changes nothing. */
function besidePlaceholders(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const places = [...text.matchAll(PLACEHOLDER)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  let next = 0;
  return spans.filter(({ start, end }) => {
    while ((places[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    return end <= (places[next]?.start ?? Number.POSITIVE_INFINITY);
  });
}

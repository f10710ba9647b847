import { assignedAt, inAddressAt, inHeaderAt } from './assigned-secrets.ts';
import { escapedSecrets } from './escaped-secrets.ts';
import { privateKeys, SHAPES_BEGIN_WITH, shapeAt } from './known-shapes.ts';
import { PLACEHOLDER } from './placeholder.ts';
import { randomBetween, SHORTEST_RANDOM } from './random-texts.ts';
import { type SecretKind, type SecretSpan, surer } from './secret-kinds.ts';
import { keyLineBetween, writtenSecrets } from './written-secrets.ts';

/** Nothing that is shorter is a secret worth the name. */
const SHORTEST = 8;

/** Everything in the text that looks like a credential, in order, without overlaps. Takes time in proportion to the text. */
export function findSecrets(text: string): SecretSpan[] {
  if (text.length < SHORTEST) return [];
  const found = [...plainSecrets(text), ...escapedSecrets(text, plainSecrets)];
  return found.length === 0 ? found : besidePlaceholders(text, merged(found));
}

function plainSecrets(text: string): SecretSpan[] {
  return [...privateKeys(text), ...scan(text), ...writtenSecrets(text)];
}

/** What a character can be part of. One pass over the text asks nothing else of most of them. */
const WORD = 1;
const TOKEN = 2;
const GIVES = 4;
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  const token = /[\w+/-]/.test(character) ? TOKEN : 0;
  return (/\w/.test(character) ? WORD : 0) | token | (/[=:]/.test(character) ? GIVES : 0);
});

/** By the codes of two letters: what begins with them. */
const HEADER = 1;
const SHAPE = 2;
const BEGINNINGS = new Uint8Array(128 * 128);
for (const [begins, what] of [
  ...SHAPES_BEGIN_WITH.map((each) => [each, SHAPE] as const),
  ['Be', HEADER],
  ['Ba', HEADER],
] as const) {
  BEGINNINGS[begins.charCodeAt(0) * 128 + begins.charCodeAt(1)] = what;
}

const BACKSLASH = 92;
const LETTER_N = 110;
const LETTER_R = 114;
const LETTER_T = 116;

function scan(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  const { length } = text;
  let [last, lastCode, beforeLast, run] = [0, 0, 0, 0];
  // What was found is not looked at from within, so that nothing is read more than a few times.
  let [shapeEnd, valueEnd] = [0, 0];
  for (let at = 0; at <= length; at++) {
    const code = at < length ? text.charCodeAt(at) : 0;
    // The \n of a text inside of JSON is no letter of what comes behind it.
    const isEscape = lastCode === BACKSLASH && (code === LETTER_N || code === LETTER_R || code === LETTER_T);
    const now = code < 128 && !isEscape ? (CLASSES[code] as number) : 0;
    if (last & WORD && !(beforeLast & WORD) && code < 128 && at > shapeEnd) {
      const begins = BEGINNINGS[lastCode * 128 + code];
      if (begins === SHAPE) {
        const shape = shapeAt(text, at - 1);
        if (shape?.kind) found.push({ start: at - 1, end: shape.end, kind: shape.kind });
        shapeEnd = shape?.end ?? shapeEnd;
      } else if (begins === HEADER) {
        const span = inHeaderAt(text, at - 1);
        if (span) found.push(span);
      }
    }
    if (now & GIVES && at >= valueEnd) {
      const span = assignedAt(text, at) ?? (text.startsWith('//', at + 1) ? inAddressAt(text, at) : undefined);
      if (span) found.push(span);
      valueEnd = span?.end ?? valueEnd;
    }
    if ((now ^ last) & TOKEN) {
      if (now & TOKEN) run = at;
      else if (at - run >= SHORTEST_RANDOM) {
        const span = randomBetween(text, run, at) ?? keyLineBetween(text, run, at);
        if (span) found.push(span);
      }
    }
    beforeLast = last;
    last = now;
    lastCode = code;
  }
  return found;
}

/** Wherever one of these values is. */
export function findValues(text: string, values: ReadonlyMap<string, SecretKind>): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const [value, kind] of values) {
    for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
      found.push({ start: at, end: at + value.length, kind });
    }
  }
  return found;
}

/** In order; where two overlap, one that covers both. */
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

/** What was replaced before is left as it is, so that a second pass changes nothing. */
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

import { assignedSecrets, carriedSecrets } from './assigned-secrets.ts';
import { knownShapes, privateKeys } from './known-shapes.ts';
import { PLACEHOLDER } from './placeholder.ts';
import { randomTexts } from './random-texts.ts';
import { type SecretKind, type SecretSpan, surer } from './secret-kinds.ts';

/** Nothing that is shorter is a secret worth the name. */
const SHORTEST = 8;

/** Everything in the text that looks like a credential, in order, without overlaps. Takes time in proportion to the text. */
export function findSecrets(text: string): SecretSpan[] {
  if (text.length < SHORTEST) return [];
  const found = [
    ...privateKeys(text),
    ...knownShapes(text),
    ...assignedSecrets(text),
    ...carriedSecrets(text),
    ...randomTexts(text),
  ];
  return found.length === 0 ? found : besidePlaceholders(text, merged(found));
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

import { findSecrets, findValues, merged } from './find-secrets.ts';
import { namedSecrets } from './named-secrets.ts';
import type { SecretKind } from './secret-kinds.ts';
import { isSecretName } from './secret-name.ts';

const REDACTED = '[redacted]';

/** A shorter value is in too many words to be replaced wherever it stands. */
const SHORTEST_KNOWN = 4;

/**
 * The text with its secrets replaced: those that are known, and what looks like one. For texts that people pass on and nobody works
 * with any more: what is called a secret goes, however short it is.
 */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  const spans = merged([...findSecrets(text), ...namedSecrets(text), ...findValues(text, spellingsOf(known))]);
  let result = '';
  let copied = 0;
  for (const { start, end } of spans) {
    result += text.slice(copied, start) + REDACTED;
    copied = end;
  }
  return result + text.slice(copied);
}

/** The same for every text in a JSON value. Keys stay; what a key calls a secret goes as a whole. */
export function redactDeep(value: unknown, known: readonly string[] = []): unknown {
  if (typeof value === 'string') return redactSecrets(value, known);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, known));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      isSecretName(key) && holdsSomething(inner) ? REDACTED : redactDeep(inner, known),
    ]),
  );
}

function holdsSomething(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && typeof value !== 'boolean';
}

/** A known value also as it stands in JSON and in a URL. */
function spellingsOf(known: readonly string[]): ReadonlyMap<string, SecretKind> {
  const long = known.filter((value) => value.length >= SHORTEST_KNOWN);
  const spellings = long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), urlEncoded(value)]);
  return new Map(spellings.map((spelling) => [spelling, 'model-key']));
}

function urlEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

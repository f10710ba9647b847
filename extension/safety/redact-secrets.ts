import { findSecrets, findValues, merged } from './find-secrets.ts';
import { namedSecrets } from './named-secrets.ts';
import type { SecretKind } from './secret-kinds.ts';
import { isSecretName } from './secret-name.ts';

const REDACTED = '[redacted]';

/** Shorter values occur in too many words to be replaced everywhere. */
const SHORTEST_KNOWN = 4;

/**
 * Redacts known secrets and everything that looks like one. It is meant for texts that people share and no longer work
 * with, so anything that is named a secret is removed, however short it is.
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

/** Redacts every string in a JSON value. Keys stay; a value whose key names a secret is replaced as a whole. */
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

/** The known values, also in the spellings of JSON and URLs. */
function spellingsOf(known: readonly string[]): ReadonlyMap<string, SecretKind> {
  const long = known.filter((value) => value.length >= SHORTEST_KNOWN);
  const spellings = long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), urlEncoded(value)]);
  return new Map(spellings.map((spelling) => [spelling, 'model-key']));
}

function urlEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

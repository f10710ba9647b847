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
  return redacted(text, spellingsOf(known));
}

function redacted(text: string, known: ReadonlyMap<string, SecretKind>): string {
  const spans = merged([...findSecrets(text), ...namedSecrets(text), ...findValues(text, known)]);
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
  return new Redactor(known).deep(value);
}

/** Redacts many values with the same known secrets, each text once: entries of a log repeat most of their texts. */
export class Redactor {
  private readonly spellings: ReadonlyMap<string, SecretKind>;
  private readonly redacted = new Map<string, string>();

  constructor(readonly known: readonly string[]) {
    this.spellings = spellingsOf(known);
  }

  deep(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.deep(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, isSecretName(key) && holdsSomething(inner) ? REDACTED : this.deep(inner)]),
    );
  }

  private text(text: string): string {
    const done = this.redacted.get(text) ?? redacted(text, this.spellings);
    if (this.redacted.size >= MOST_KEPT) this.redacted.clear();
    if (text.length <= LONGEST_KEPT) this.redacted.set(text, done);
    return done;
  }
}

/** Enough for the texts that entries repeat. */
const MOST_KEPT = 200;
const LONGEST_KEPT = 500;

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

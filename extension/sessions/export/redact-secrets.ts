import { redactAssignments } from './secret-assignment.ts';
import { isSecretName } from './secret-name.ts';

const REDACTED = '[redacted]';

/** A shorter value is in too many words to be replaced wherever it stands. */
const SHORTEST_KNOWN = 4;

/**
 * Tokens that their issuers made recognisable. Each pattern starts where a word starts and ends with what repeats, so
 * none looks at a character more than a few times.
 */
const TOKENS: readonly RegExp[] = [
  /AIza[\w-]{35}(?![\w-])/, // Google API key
  /ya29\.[\w.-]{20,}/, // Google OAuth access token
  /1\/\/0[\w-]{30,}/, // Google OAuth refresh token
  /GOCSPX-[\w-]{20,}/, // Google OAuth client secret
  /gh[opsur]_[A-Za-z0-9]{30,}/, // GitHub
  /github_pat_\w{22,}/,
  /glpat-[\w-]{20,}/, // GitLab
  /xox[abeprs]-[A-Za-z0-9-]{10,}/, // Slack
  /(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/, // AWS access key id
  /npm_[A-Za-z0-9]{36}/,
  /hf_[A-Za-z0-9]{30,}/, // Hugging Face
  /[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/, // Stripe
  /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/, // JSON web token
];
/** A word starts behind a sign, or behind the `\\n` of a text inside of JSON. */
const TOKEN = new RegExp(`(?:(?<![\\w-])|(?<=\\\\[nrt]))(?:${TOKENS.map((pattern) => pattern.source).join('|')})`, 'g');

/** OpenAI, Anthropic and others; names of CSS classes begin like that too. */
const SK_KEY = /(?<![\w-])sk-[\w-]{20,}/g;

const AUTHORIZATION =
  /(?<![\w-])((?:proxy-)?authorization\\{0,3}["'`]?[ \t]{0,8}[:=][ \t]{0,8}\\{0,3}["'`]?(?:bearer|basic|token|digest)[ \t]{1,8})([^\s"'`\\,;]{4,})/gi;
const BEARER = /(?<![\w-])(bearer[ \t]{1,8})([\w.~+/-]{20,}=*)/gi;
const URL_PASSWORD = /(?<=:\/\/)([^\s:@/?#'"`<>]{0,256}:)([^\s/?#'"`<>]{1,256})(?=@)/g;
const PRIVATE_KEY_START = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PRIVATE_KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Some 4 times the longest RSA key in use. A key that was cut off ends with its last line of base64. */
const MAX_KEY = 16 * 1024;
const KEY_CHARACTERS = /[A-Za-z0-9+/=\\\s]*/y;

/** The text with its secrets replaced: those that are known, and what looks like one. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let result = text;
  for (const value of spellingsOf(known)) result = result.replaceAll(value, REDACTED);
  result = redactPrivateKeys(result)
    .replace(TOKEN, REDACTED)
    .replace(SK_KEY, (key) => (looksRandom(key) ? REDACTED : key))
    .replace(AUTHORIZATION, (whole, start: string, value: string) => (isVariable(value) ? whole : start + REDACTED))
    .replace(BEARER, (whole, start: string, value: string) => (/\d/.test(value) ? start + REDACTED : whole))
    .replace(URL_PASSWORD, (whole, start: string, value: string) => (isVariable(value) ? whole : start + REDACTED));
  return redactAssignments(result, REDACTED);
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

/** A known value also as it stands in JSON and in a URL. The longest first, as one may be part of another. */
function spellingsOf(known: readonly string[]): string[] {
  const long = known.filter((value) => value.length >= SHORTEST_KNOWN);
  const spellings = long.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), urlEncoded(value)]);
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

function urlEncoded(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

function redactPrivateKeys(text: string): string {
  const ends = [...text.matchAll(PRIVATE_KEY_END)].map((end) => ({ at: end.index, behind: end.index + end[0].length }));
  let next = 0;
  let result = '';
  let copied = 0;
  for (const begin of text.matchAll(PRIVATE_KEY_START)) {
    if (begin.index < copied) continue;
    const body = begin.index + begin[0].length;
    while (next < ends.length && (ends[next]?.at ?? 0) < body) next++;
    const end = ends[next];
    result += text.slice(copied, begin.index) + REDACTED;
    copied = end && end.at - body <= MAX_KEY ? end.behind : endOfCutKey(text, body);
  }
  return result + text.slice(copied);
}

function endOfCutKey(text: string, body: number): number {
  KEY_CHARACTERS.lastIndex = body;
  return body + (KEY_CHARACTERS.exec(text)?.[0].trimEnd().length ?? 0);
}

function looksRandom(key: string): boolean {
  if (!/\d/.test(key)) return false;
  return /[A-Z]/.test(key) || key.split(/[-_]/).some((piece) => piece.length >= 16 && /\d/.test(piece));
}

/** Something is put in here later, or was taken out. */
function isVariable(value: string): boolean {
  return /^(?:[$<{%]|\*+$|\[redacted\])/.test(value);
}

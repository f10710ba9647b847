import { entropyOf, isWordy, looksRandom } from './randomness.ts';
import type { SecretSpan } from './secret-kinds.ts';

/**
 * A name that ends in a word for secrets, and what may be between it and the sign that assigns a value. It may be inside
 * JSON that is itself a string. As a lookbehind it is matched backwards from the sign, in a fourth of the time.
 */
const NAME =
  /(?<=(passw(?:or)?d|passphrase|passcode|pass|pwd|secret|token|api[_.-]?key|(?:access|account|app|auth|encryption|license|master|private|secret|service|signing|storage)[_.-]?key|key[_.-]?base|credentials?)(["'\\\]]{0,4}[ \t]{0,4}(?::[ \t]{0,2}string[ \t]{0,2}|:)?))/iy;
const LAST_LETTERS = codesOf('deltnsygDELTNSYG');
const VALUE =
  /[ \t]{0,4}(?:\\?"([^"\\\r\n]{6,256})\\?"|\\?'([^'\\\r\n]{6,256})\\?'|`([^`\\\r\n]{6,256})`|([^\s"'`,;<>(){}[\]\\=]{6,256}={0,2}))/y;

/** Values that people and programs use as placeholders for a secret, and code that reads it from elsewhere. */
const STANDS_FOR_ONE =
  /^(?:[$<%{#]|\[\[gantry-secret-|(.)\1*$|(?:pass(?:word|wd)?|pwd|secret|token)$|\.{0,2}\/|https?:\/\/[^@]*$)|\$\{|\{\{|process\.env|os\.environ|import\.meta|example|change.?me|placeholder|your[-_ ]|dummy|redacted|undefined|\*{4}|x{6}/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The value that `=` or `:` at this position assigns to a name such as "password" or "api_key", if it looks like a
 * secret.
 */
export function assignedAt(text: string, sign: number): SecretSpan | undefined {
  const last = lastLetter(text, sign);
  if (LAST_LETTERS[text.charCodeAt(last)] !== 1) return undefined;
  const next = text[sign + 1];
  if (next === '=' || (text[sign] === '=' && /[=!<>+]/.test(text[sign - 1] ?? ''))) return undefined;
  if (!mayEndName(text, last)) return undefined;
  NAME.lastIndex = sign;
  const match = NAME.exec(text);
  const name = match?.[1] ?? '';
  const beforeName = sign - (match?.[2] ?? '').length - name.length - 1;
  if (!match || !isWholeWord(name, text[beforeName] ?? '')) return undefined;
  const isPassword = /^pass|^pwd/i.test(name);
  const from = next === '>' ? sign + 2 : sign + 1;
  const fromEnvironment = environmentValue(text, sign);
  const secret = fromEnvironment ?? codeValue(text, from) ?? settingValue(text, sign, from, isPassword);
  if (secret === undefined || standsForOne(secret)) return undefined;
  // Some services issue UUIDs as keys; elsewhere, a UUID is an identifier.
  if (UUID.test(secret) && fromEnvironment === undefined && !/key$/i.test(name)) return undefined;
  const start = text.indexOf(secret, sign);
  return { start, end: start + secret.length, kind: isPassword ? 'password' : 'secret' };
}

/** Accepts `DB_PASS` and `dbPass`, but not `bypass`, nor `pass` as in a passing test. */
function isWholeWord(name: string, before: string): boolean {
  if (name.length !== 4) return true;
  return /[_.-]/.test(before) || (name[0] === 'P' && /[a-z]/.test(before));
}

/** Values in quotes, or on a line of their own as in settings files. Code is not written like that. */
const IN_QUOTES = /[ \t]{0,4}(?:\\?"([^"\\\s]{6,128})\\?"|\\?'([^'\\\s]{6,128})\\?')/y;
const TO_LINE_END = /[ \t]{0,4}([^\s"'`(){}[\]<>,;]{6,256})[ \t]{0,8}(?=[\r\n]|$)/y;
const TO_SEMICOLON = /([^\s"'`(){}[\]<>,;]{6,128})(?=;)/y;
/** These are matched backwards from the sign. */
const FIRST_IN_LINE = /(?<=(?:^|[\r\n])[ \t]{0,80}(?:- )?["']?[\w.-]{0,80}["']?[ \t]{0,8})/y;
const IN_CONNECTION = /(?<=[;"'][ \t]?[\w ]{0,24})/y;

function settingValue(text: string, sign: number, from: number, isPassword: boolean): string | undefined {
  const [quoted] = isPassword ? (captured(IN_QUOTES, text, from) ?? []) : [];
  if (quoted !== undefined) return isMixed(quoted) ? quoted : undefined;
  const [bare] = isAt(FIRST_IN_LINE, text, sign) ? (captured(TO_LINE_END, text, from) ?? []) : [];
  if (bare !== undefined) {
    const isLong = isPassword ? (bare.match(/\d/g)?.length ?? 0) > 1 || /[^\w.]/.test(bare) : bare.length >= 12;
    const isReference = /^[a-z]+:\/\/|^[A-Za-z_$][\w$]*(?:\.[\w$]+)+$/.test(bare);
    return isLong && isMixed(bare) && !isReference ? bare : undefined;
  }
  if (!isPassword || text[sign] !== '=' || !isAt(IN_CONNECTION, text, sign)) return undefined;
  const [part] = captured(TO_SEMICOLON, text, from) ?? [];
  return part !== undefined && isMixed(part) ? part : undefined;
}

function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function captured(pattern: RegExp, text: string, from: number): string[] | undefined {
  pattern.lastIndex = from;
  return pattern
    .exec(text)
    ?.slice(1)
    .filter((group) => group !== undefined);
}

function isMixed(value: string): boolean {
  return /\d/.test(value) && /^[!-~]*[A-Za-z][!-~]*$/.test(value);
}

/** Skips spaces, quotes and other characters that may separate a name from the sign. */
function lastLetter(text: string, sign: number): number {
  let at = sign - 1;
  while (at > sign - 10 && BETWEEN[text.charCodeAt(at)] === 1) at--;
  return at;
}

/** A cheap check: most words that end in the right letter do not end like one of the names. */
function mayEndName(text: string, last: number): boolean {
  return ENDS.has(packed(text.charCodeAt(last - 2), text.charCodeAt(last - 1), text.charCodeAt(last)));
}

/** Three letters as one number, in lowercase. */
function packed(first: number, second: number, third: number): number {
  return ((first | 32) << 16) | ((second | 32) << 8) | third | 32;
}

const ENDS: ReadonlySet<number> = new Set(
  'swd ord ase ass ode pwd ret ken key ial als ing'
    .split(' ')
    .map((end) => packed(end.charCodeAt(0), end.charCodeAt(1), end.charCodeAt(2))),
);
const BETWEEN = codesOf(' \t"\'\\]:');

function standsForOne(value: string): boolean {
  return value.length < 6 || STANDS_FOR_ONE.test(value) || /^[\d.]+$/.test(value);
}

function codeValue(text: string, from: number): string | undefined {
  VALUE.lastIndex = from;
  const value = VALUE.exec(text);
  const quoted = (value?.[1] ?? value?.[2] ?? value?.[3])?.trim();
  if (quoted !== undefined) return isSecretText(quoted) ? quoted : undefined;
  const bare = value?.[4];
  return bare !== undefined && isSecretCode(bare) ? bare : undefined;
}

/** The value of `DB_PASSWORD=anything` on a line of its own, which is clearly an assignment. */
function environmentValue(text: string, sign: number): string | undefined {
  if (text[sign] !== '=') return undefined;
  let start = sign;
  while (start > 0 && sign - start < LONGEST_VARIABLE && IN_VARIABLE[text.charCodeAt(start - 1)] === 1) start--;
  if (start === sign) return undefined;
  if (text.startsWith('export ', start - 7)) start -= 7;
  const before = start === 0 ? '\n' : text[start - 1];
  if (before !== '\n' && before !== '\r') return before === ' ' ? argumentValue(text, sign) : undefined;
  const [value] = captured(LINE, text, sign + 1) ?? [];
  return value === undefined || /^[a-z]+:\/\//.test(value) ? undefined : value;
}

/** The value in `docker run -e DB_PASSWORD=… app` or `ENV DB_PASSWORD=…`. */
function argumentValue(text: string, sign: number): string | undefined {
  const [value] = captured(ARGUMENT, text, sign + 1) ?? [];
  return value !== undefined && isMixed(value) && !/^[a-z]+:\/\//.test(value) ? value : undefined;
}

const ARGUMENT = /(?:"([^"\s]{6,256})"|'([^'\s]{6,256})'|([^\s"'`(){}<>$,;&|]{6,256}))(?=\s|$)/y;
const LINE = /(?:"([^"\r\n]{6,256})"|'([^'\r\n]{6,256})'|([^\s"'`()]{6,256}))[ \t]{0,8}(?=[\r\n]|$)/y;
const LONGEST_VARIABLE = 80;
const IN_VARIABLE = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_');

/** Judges a quoted value: excludes prose and words that are identifiers. */
function isSecretText(value: string): boolean {
  if (value.length < 8 || /\s/.test(value) || isWordy(value)) return false;
  return /[^A-Za-z]/.test(value) && entropyOf(value) >= 2.8;
}

/** Judges a value without quotes. It may be code, so identifiers and member expressions are excluded. */
function isSecretCode(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || !isSecretText(value)) return false;
  return !/^[A-Za-z_$][\w$]*(?:[.?!]+[\w$]+)*$/.test(value) || looksRandom(value) || /^[0-9a-f]{16,}$/.test(value);
}

/** Matches `scheme://user:password@host`, from the first colon on. */
const IN_ADDRESS = /:\/\/[^\s:/?#@"'`<>]{0,64}:([^\s:/?#@"'`<>]{4,128})@/y;
const IN_HEADER = /(?:Bearer|Basic)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,2048})/y;

/** The password in the address whose `://` is at this position. */
export function inAddressAt(text: string, at: number): SecretSpan | undefined {
  return carriedAt(IN_ADDRESS, text, at, 'password');
}

/** The value after "Bearer" or "Basic" in a request header. */
export function inHeaderAt(text: string, at: number): SecretSpan | undefined {
  const found = carriedAt(IN_HEADER, text, at, 'secret');
  const value = found ? text.slice(found.start, found.end) : '';
  return found && !isWordy(value) && entropyOf(value) >= 3 ? found : undefined;
}

function carriedAt(pattern: RegExp, text: string, at: number, kind: SecretSpan['kind']): SecretSpan | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const value = match?.[1];
  if (!match || value === undefined || STANDS_FOR_ONE.test(value)) return undefined;
  const start = at + match[0].lastIndexOf(value);
  return { start, end: start + value.length, kind };
}

function codesOf(characters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const character of characters) codes[character.charCodeAt(0)] = 1;
  return codes;
}

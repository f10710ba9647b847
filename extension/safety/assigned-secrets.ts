import { entropyOf, isWordy, looksRandom } from './randomness.ts';
import type { SecretSpan } from './secret-kinds.ts';

/** A name that ends in a word for secrets, up to the sign that gives it a value. Also inside JSON that is a string itself. */
const NAME =
  /(passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|(?:access|account|auth|encryption|private|secret|signing)[_-]?key|credentials?)["'\\\]]{0,4}[ \t]{0,4}(?::[ \t]{0,2}string[ \t]{0,2}|:)?$/i;
/** The longest of them with everything that may stand behind it. */
const LONGEST_NAME = 36;
const LAST_LETTERS = codesOf('deltnsygDELTNSYG');
const VALUE =
  /[ \t]{0,4}(?:\\?"([^"\\\r\n]{6,256})\\?"|\\?'([^'\\\r\n]{6,256})\\?'|`([^`\\\r\n]{6,256})`|([^\s"'`,;<>(){}[\]\\=]{6,256}={0,2}))/y;

/** What people and programs put where a secret will be, and code that gets it from elsewhere. */
const STANDS_FOR_ONE =
  /^(?:[$<%{#]|\[\[gantry-secret-|(.)\1*$|(?:pass(?:word|wd)?|pwd|secret|token)$|\.{0,2}\/|https?:\/\/[^@]*$)|\$\{|\{\{|process\.env|os\.environ|import\.meta|example|change.?me|placeholder|your[-_ ]|dummy|redacted|undefined|\*{4}|x{6}/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The value that `=` or `:` at this place gives to a name such as "password" or "api_key", if it looks like a secret. */
export function assignedAt(text: string, sign: number): SecretSpan | undefined {
  const last = lastLetter(text, sign);
  if (LAST_LETTERS[text.charCodeAt(last)] !== 1) return undefined;
  const next = text[sign + 1];
  if (next === '=' || (text[sign] === '=' && /[=!<>+]/.test(text[sign - 1] ?? ''))) return undefined;
  if (!mayEndName(text, last)) return undefined;
  const name = NAME.exec(text.slice(Math.max(0, sign - LONGEST_NAME), sign));
  if (!name) return undefined;
  const secret = environmentValue(text, sign) ?? codeValue(text, next === '>' ? sign + 2 : sign + 1);
  if (secret === undefined || standsForOne(secret)) return undefined;
  const start = text.indexOf(secret, sign);
  return { start, end: start + secret.length, kind: /^pass|^pwd/i.test(name[1] ?? '') ? 'password' : 'secret' };
}

/** Behind blanks, quotes and what else may be between a name and the sign. */
function lastLetter(text: string, sign: number): number {
  let at = sign - 1;
  while (at > sign - 10 && BETWEEN[text.charCodeAt(at)] === 1) at--;
  return at;
}

/** Most words that end in the right letter do not end like one of the names. */
function mayEndName(text: string, last: number): boolean {
  const end = text.slice(Math.max(0, last - 2), last + 1).toLowerCase();
  return ENDS.has(end);
}

const ENDS: ReadonlySet<string> = new Set(['swd', 'ord', 'ase', 'pwd', 'ret', 'ken', 'key', 'ial', 'als', 'ing']);
const BETWEEN = codesOf(' \t"\'\\]:');

function standsForOne(value: string): boolean {
  return value.length < 6 || STANDS_FOR_ONE.test(value) || UUID.test(value) || /^[\d.]+$/.test(value);
}

function codeValue(text: string, from: number): string | undefined {
  VALUE.lastIndex = from;
  const value = VALUE.exec(text);
  const quoted = (value?.[1] ?? value?.[2] ?? value?.[3])?.trim();
  if (quoted !== undefined) return isSecretText(quoted) ? quoted : undefined;
  const bare = value?.[4];
  return bare !== undefined && isSecretCode(bare) ? bare : undefined;
}

/** `DB_PASSWORD=anything`, on a line of its own: whoever writes that means it. */
function environmentValue(text: string, sign: number): string | undefined {
  if (text[sign] !== '=') return undefined;
  let start = sign;
  while (start > 0 && sign - start < LONGEST_VARIABLE && IN_VARIABLE[text.charCodeAt(start - 1)] === 1) start--;
  if (start === sign) return undefined;
  if (text.startsWith('export ', start - 7)) start -= 7;
  if (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') return undefined;
  LINE.lastIndex = sign + 1;
  const line = LINE.exec(text);
  const value = line?.[1] ?? line?.[2] ?? line?.[3];
  return value === undefined || /^[a-z]+:\/\//.test(value) ? undefined : value;
}

const LINE = /(?:"([^"\r\n]{6,256})"|'([^'\r\n]{6,256})'|([^\s"'`()]{6,256}))[ \t]{0,8}(?=[\r\n]|$)/y;
const LONGEST_VARIABLE = 80;
const IN_VARIABLE = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_');

/** In quotes: no prose, and no words that name something. */
function isSecretText(value: string): boolean {
  if (value.length < 8 || /\s/.test(value) || isWordy(value)) return false;
  return /[^A-Za-z]/.test(value) && entropyOf(value) >= 2.8;
}

/** Without quotes it may be code, so that names and members of objects are left alone. */
function isSecretCode(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || !isSecretText(value)) return false;
  return !/^[A-Za-z_$][\w$]*(?:[.?!]+[\w$]+)*$/.test(value) || looksRandom(value) || /^[0-9a-f]{16,}$/.test(value);
}

/** `scheme://user:password@host`, from the first colon on. */
const IN_ADDRESS = /:\/\/[^\s:/?#@"'`<>]{0,64}:([^\s:/?#@"'`<>]{4,128})@/y;
const IN_HEADER = /(?:Bearer|Basic)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,2048})/y;

/** The password in the address whose "://" is here. */
export function inAddressAt(text: string, at: number): SecretSpan | undefined {
  return carriedAt(IN_ADDRESS, text, at, 'password');
}

/** What stands behind "Bearer" or "Basic" in the header of a request. */
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

import { entropyOf, isWordy, looksRandom } from './randomness.ts';
import type { SecretSpan } from './secret-kinds.ts';

/** A name that ends in a word for secrets, and the sign that gives it a value. Also inside JSON that is a string itself. */
const ASSIGNMENT =
  /(passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|(?:access|account|auth|encryption|private|secret|signing)[_-]?key|credentials?)["'\\\]]{0,4}[ \t]{0,4}(?::[ \t]{0,2}string[ \t]{0,2})?(?:=>|:=|[:=])[ \t]{0,4}/gi;
const VALUE =
  /\\?"([^"\\\r\n]{6,256})\\?"|\\?'([^'\\\r\n]{6,256})\\?'|`([^`\\\r\n]{6,256})`|([^\s"'`,;<>(){}[\]\\]{6,256})/y;

/** Written for what people and programs put where a secret will be, and for code that gets it from elsewhere. */
const STANDS_FOR_ONE =
  /^(?:[$<%{#]|\[\[gantry-secret-|(.)\1*$|\.{0,2}\/|https?:\/\/[^@]*$)|\$\{|\{\{|process\.env|os\.environ|import\.meta|example|change.?me|placeholder|your[-_ ]|dummy|redacted|undefined|\*{4}|x{6}/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Values of names such as "password" and "api_key", as far as they look like secrets. */
export function assignedSecrets(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const match of text.matchAll(ASSIGNMENT)) {
    const at = match.index + match[0].length;
    VALUE.lastIndex = at;
    const value = VALUE.exec(text);
    if (!value) continue;
    const [quoted, bare] = [value[1] ?? value[2] ?? value[3], value[4]];
    const secret = (quoted ?? bare ?? '').trim();
    const isOne =
      isEnvironment(text, match, value) || (quoted === undefined ? isSecretCode(secret) : isSecretText(secret));
    if (!isOne || standsForOne(secret)) continue;
    const start = text.indexOf(secret, at);
    found.push({ start, end: start + secret.length, kind: /^pass|^pwd/i.test(match[1] ?? '') ? 'password' : 'secret' });
  }
  return found;
}

function standsForOne(value: string): boolean {
  return value.length < 6 || STANDS_FOR_ONE.test(value) || UUID.test(value) || /^[\d.]+$/.test(value);
}

/** `DB_PASSWORD=anything`, on a line of its own: whoever writes that means it. */
function isEnvironment(text: string, match: RegExpExecArray, value: RegExpExecArray): boolean {
  const [word = ''] = match.slice(1);
  if (word !== word.toUpperCase() || !match[0].endsWith('=') || match[0].length !== word.length + 1) return false;
  const before = text.slice(Math.max(0, match.index - LONGEST_NAME), match.index);
  const end = VALUE.lastIndex;
  const isLine = end === text.length || text[end] === '\n' || text[end] === '\r';
  return isLine && /(?:^|[\r\n])(?:export )?[A-Z0-9_]*$/.test(before) && !/^[a-z]+:\/\//.test(value[0]);
}

const LONGEST_NAME = 80;

/** In quotes: no prose, and no words that name something. */
function isSecretText(value: string): boolean {
  if (value.length < 8 || /\s/.test(value) || isWordy(value)) return false;
  return /[^A-Za-z]/.test(value) && entropyOf(value) >= 2.8;
}

/** Without quotes it may be code, so that names and members of objects are left alone. */
function isSecretCode(value: string): boolean {
  if (!isSecretText(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return !/^[A-Za-z_$][\w$]*(?:[.?!]+[\w$]+)*$/.test(value) || looksRandom(value) || /^[0-9a-f]{16,}$/.test(value);
}

/** `scheme://user:password@host`. */
const IN_ADDRESS = /:\/\/[^\s:/@"'`<>]{0,64}:([^\s:/@"'`<>]{4,128})@/g;
const IN_HEADER = /\b(?:Bearer|Basic)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,2048})/g;

/** Passwords in addresses, and what stands in the headers of requests. */
export function carriedSecrets(text: string): SecretSpan[] {
  const addresses = text.includes('://') ? [...text.matchAll(IN_ADDRESS)] : [];
  const headers = [...text.matchAll(IN_HEADER)].filter(([, value = '']) => !isWordy(value) && entropyOf(value) >= 3);
  const spanIn = (match: RegExpExecArray, kind: SecretSpan['kind']): SecretSpan[] => {
    const [, value = ''] = match;
    if (STANDS_FOR_ONE.test(value)) return [];
    const start = match.index + match[0].lastIndexOf(value);
    return [{ start, end: start + value.length, kind }];
  };
  return [
    ...addresses.flatMap((match) => spanIn(match, 'password')),
    ...headers.flatMap((match) => spanIn(match, 'secret')),
  ];
}

import type { SecretKind, SecretSpan } from './secret-kinds.ts';
import { isPassphraseName, isSecretName, isTokenName } from './secret-name.ts';

/**
 * A name and the sign after it, in env files, JSON, YAML, code and nested JSON. The lookbehind allows one start per
 * name and all repetitions are bounded, so the time is linear in the length of the text.
 */
const NAME_AND_SIGN = /(?<![\w.-])([\w.-]{1,80})\\{0,3}["'`]?([ \t]{0,8}(?:=>|:=|=(?!=)|:(?!:))[ \t]{0,8})/g;
const QUOTE = /\\{0,3}["'`]/y;
const BARE_VALUE = /[^\s"'`,;&<>(){}[\]\\]{1,256}/y;
const REST_OF_VALUE = /[^\s"'`,;&<>(){}[\]\\]*/y;
/**
 * Only this much of a value is checked: in a text of names and signs without a space, each name would have the rest as
 * its value.
 */
const JUDGED = 256;
/** No secret is longer; searching further for the closing quote would be slow in a text full of open quotes. */
const MAX_VALUE = 4096;

interface Value {
  readonly start: number;
  readonly end: number;
}

const AUTHORIZATION =
  /(?<![\w-])((?:proxy-)?authorization\\{0,3}["'`]?[ \t]{0,8}[:=][ \t]{0,8}\\{0,3}["'`]?(?:bearer|basic|token|digest)[ \t]{1,8})([^\s"'`\\,;]{4,})/gi;
const BEARER = /(?<![\w-])(bearer[ \t]{1,8})(?=[\w.~+/-]*\d)([\w.~+/-]{20,}=*)/gi;
const URL_PASSWORD = /(?<=:\/\/)([^\s:@/?#'"`<>]{0,256}:)([^\s/?#'"`<>]{1,256})(?=@)/g;

/**
 * Finds everything that a name, a header or an address declares to be a secret, even if it is too short or too plain to
 * look like one.
 */
export function namedSecrets(text: string): SecretSpan[] {
  return [
    ...carried(AUTHORIZATION, text, 'secret'),
    ...carried(BEARER, text, 'secret'),
    ...carried(URL_PASSWORD, text, 'password'),
    ...assigned(text),
  ];
}

function carried(pattern: RegExp, text: string, kind: SecretKind): SecretSpan[] {
  return [...text.matchAll(pattern)].flatMap(({ index, 0: whole, 1: before = '', 2: value = '' }) =>
    isVariable(value) ? [] : [{ start: index + before.length, end: index + whole.length, kind }],
  );
}

/** Whether the value is a variable to be filled in, or was already redacted. */
function isVariable(value: string): boolean {
  return /^(?:[$<{%]|\*+$|\[redacted\])/.test(value);
}

function assigned(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (const match of text.matchAll(NAME_AND_SIGN)) {
    const [whole, word = '', sign = ''] = match;
    // In nested JSON, a name may follow an escaped line break (`\n`).
    const name = text[match.index - 1] === '\\' ? word.slice(1) : word;
    if (match.index < (found.at(-1)?.end ?? 0) || !isSecretName(name)) continue;
    const value = secretAt(text, match.index + whole.length, name, sign);
    if (value) found.push({ ...value, kind: 'secret' });
  }
  return found;
}

function secretAt(text: string, at: number, name: string, sign: string): Value | undefined {
  const quote = stickyMatch(QUOTE, text, at);
  if (quote !== undefined) {
    const start = at + quote.length;
    const end = closingQuote(text, start, quote);
    return end !== undefined && isQuotedSecret(name, text.slice(start, end)) ? { start, end } : undefined;
  }
  const bare = stickyMatch(BARE_VALUE, text, at);
  if (bare === undefined) return undefined;
  const judged = at + bare.length;
  const next = bare.length < JUDGED ? text.slice(judged, judged + 1) : '';
  if (!isBareSecret(name, sign, bare, next)) return undefined;
  return { start: at, end: judged + (stickyMatch(REST_OF_VALUE, text, judged)?.length ?? 0) };
}

function closingQuote(text: string, start: number, quote: string): number | undefined {
  const ahead = text.slice(start, start + MAX_VALUE);
  for (let at = ahead.indexOf(quote); at >= 0; at = ahead.indexOf(quote, at + 1)) {
    if (quote.length > 1 || !isEscaped(ahead, at)) return ahead.slice(0, at).includes('\n') ? undefined : start + at;
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

function isQuotedSecret(name: string, value: string): boolean {
  if (value === '' || isReference(value) || HARMLESS_VALUE.test(value)) return false;
  if (/\s/.test(value)) return isPassphraseName(name);
  if (!isTokenName(name)) return true;
  return /\d/.test(value) ? value.length >= 6 : value.length >= 16 && !/^[a-z]+(?:[-._:/][a-z]+)*$/i.test(value);
}

/** Judges a value without quotes, which may also be code: a type, a variable, a call. */
function isBareSecret(name: string, sign: string, value: string, next: string): boolean {
  if (isReference(value) || HARMLESS_VALUE.test(value) || /^[([{.]/.test(next)) return false;
  const isEnvironment = sign === '=' && /^[A-Z][A-Z0-9_]*$/.test(name);
  if (/^\d+$/.test(value)) return !isTokenName(name) && value.length >= 4;
  if (isEnvironment && next !== ';') return true;
  if (!/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$#][\w$]*)*[!?:.]?$/.test(value)) {
    return value.length >= 6 && !/^https?:/.test(value) && /\d|.[@!#$%^*~]/.test(value);
  }
  // Variables with a digit in their name are rare, and punctuation of the language follows them.
  return /^\w{7,}$|^\w+!$/.test(value) && /\d/.test(value) && (next === '' || /[\s"'`&<\\]/.test(next));
}

const HARMLESS_VALUE =
  /^(?:string|number|boolean|bool|text|str|int|any|unknown|object|password|passwd|secret|token|true|false|null|nil|none|undefined|yes|no|required|optional|bearer|basic|void|never)[!?.|]*$/i;

/**
 * Whether the value refers to a secret instead of containing it: `${TOKEN}`, `$TOKEN`, `<your key>`, `{{ token }}`,
 * `%TOKEN%`, `****`, `YOUR_KEY`.
 */
function isReference(value: string): boolean {
  return /^(?:\$[\w({]|<|\{\{|%\w+%$|[*.…x•]+$|your[-_ ]|\[redacted\]|process\.env\b|import\.meta\b|os\.environ\b|env\.|secrets\.)/i.test(
    value,
  );
}

function stickyMatch(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

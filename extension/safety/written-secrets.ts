import { looksRandom } from './randomness.ts';
import type { SecretSpan } from './secret-kinds.ts';
import { isSecretName } from './secret-name.ts';

/**
 * Finds secrets whose names are not right before them: in XML, in pairs of a name and a value, in `.netrc`, and after
 * command options. Each search starts from a text that all secrets of a kind contain.
 */
export function writtenSecrets(text: string): SecretSpan[] {
  return [
    ...found(text, 'value', pairAt),
    ...found(text, 'Value', pairAt),
    ...found(text, '</', elementAt),
    ...found(text, 'password', entryAt),
    ...found(text, 'define(', constantAt),
    ...found(text, 'variable "', variableAt),
    ...found(text, '-', optionAt),
  ];
}

type Finder = (text: string, at: number) => readonly [start: number, value: string] | undefined;

function found(text: string, sign: string, find: Finder): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) {
    const [start, value] = find(text, at) ?? [];
    if (start === undefined || value === undefined) continue;
    spans.push({ start, end: start + value.length, kind: 'secret' });
    at = Math.max(at, start + value.length - sign.length);
  }
  return spans;
}

/** `"name": "DB_PASSWORD", "value": "…"`, `key="ApiKey" value="…"`, `- name: TOKEN` with `value: …` in the next line. */
const PAIR_NAME =
  /(?<=(?:name|key|id|field|variable)["'\\]{0,4}[ \t]{0,4}[:=][ \t]{0,4}["'\\]{0,4}([\w.-]{3,60})["'\\]{0,4}[ \t]{0,4}[,;]?\s{0,40}["'\\<]{0,4}(?:string)?)/iy;
const PAIR_VALUE =
  /[vV]alue["'\\]{0,4}[ \t]{0,4}[:=>][ \t]{0,4}(?:\\?["']([^"'\\\r\n]{4,256})|([^\s"'\\<>,{}]{6,256}))/y;

function pairAt(text: string, at: number): ReturnType<Finder> {
  // In code, `value` is mostly part of a longer name, or is being read.
  if (/[\w.,;()[\]]/.test(text[at + 'value'.length] ?? '')) return undefined;
  const value = patternValue(PAIR_VALUE, text, at);
  if (!value) return undefined;
  PAIR_NAME.lastIndex = at;
  const name = PAIR_NAME.exec(text)?.[1];
  return name !== undefined && saysSecret(name) ? value : undefined;
}

/** `<password>…</password>`, `<entry key="password">…</entry>`. */
const ATTRIBUTE = /(?:^<([\w.:-]{2,60}))|\b(?:key|name|id)\s{0,4}=\s{0,4}["']([\w.:-]{3,60})["']/g;

const ELEMENT = /(<[\w.:-]{2,60}[^<>]*)>\s*(?:<!\[CDATA\[)?([^\s<>]{4,256}?)(?:\]\]>)?\s*$/;
const LONGEST_ELEMENT = 600;

function elementAt(text: string, at: number): ReturnType<Finder> {
  const before = text.slice(Math.max(0, at - LONGEST_ELEMENT), at);
  const [, tag = '', value = ''] = ELEMENT.exec(before.slice(lastTag(before))) ?? [];
  if (value === '' || standsFor(value) || isWord(value)) return undefined;
  const names = [...tag.matchAll(ATTRIBUTE)].flatMap(([, own, named]) => own ?? named ?? []);
  return names.some(saysSecret) ? [at - before.length + before.lastIndexOf(value), value] : undefined;
}

/** Where the last tag begins. Trying the pattern at every tag before it would take a hundred times as long. */
function lastTag(text: string): number {
  const last = text.lastIndexOf('<');
  return Math.max(0, last > 0 && text.startsWith('<![CDATA[', last) ? text.lastIndexOf('<', last - 1) : last);
}

/** `machine db login me password …`, on one line or several. */
const ENTRY_BEFORE = /(?:^|\s)(?:login|user|account|machine)[ \t]+\S{1,100}\s+$/;
const ENTRY_VALUE = /password[ \t]+(\S{3,256})/y;

function entryAt(text: string, at: number): ReturnType<Finder> {
  if (!/[ \t]/.test(text[at + 8] ?? '') || !ENTRY_BEFORE.test(text.slice(Math.max(0, at - 130), at))) return undefined;
  const value = patternValue(ENTRY_VALUE, text, at);
  return value && !isWord(value[1]) ? value : undefined;
}

/** `--db-password …`, `--token=…`. */
const OPTION = /--([A-Za-z][\w-]{1,60})(?:=|[ \t]{1,4})["']?([^\s"'`$<>{}|&;()[\]]{4,256})/y;

function optionAt(text: string, at: number): ReturnType<Finder> {
  // Most dashes are inside words.
  const before = at === 0 ? SPACE : text.charCodeAt(at - 1);
  if (before > SPACE) return undefined;
  const next = text[at + 1];
  if (next === 'u') return userAt(text, at);
  if (next === 'p') return passwordOptionAt(text, at);
  return next === '-' ? longOptionAt(text, at) : undefined;
}

/** Characters up to this code are whitespace, or never come before an option. */
const SPACE = 32;

function longOptionAt(text: string, at: number): ReturnType<Finder> {
  return namedValueAt(OPTION, text, at);
}

/** `define('DB_PASSWORD', '…');` */
const CONSTANT = /define\(\s{0,4}["']([\w.-]{3,60})["']\s{0,4},\s{0,4}["']([^"'\s]{4,256})["']/y;

function constantAt(text: string, at: number): ReturnType<Finder> {
  return namedValueAt(CONSTANT, text, at);
}

/** `variable "db_password" { default = "…" }`. */
const VARIABLE = /variable "([\w-]{3,60})"\s{0,4}\{[^{}]{0,200}?default\s{0,8}=\s{0,4}"([^"\s]{4,256})"/y;

function variableAt(text: string, at: number): ReturnType<Finder> {
  return namedValueAt(VARIABLE, text, at);
}

/** `curl -u user:…`. */
const USER = /-u[ \t=]?["']?[^\s:"'/]{1,64}:([^\s"'`$<>{}|&;()/]{4,128})/y;

function userAt(text: string, at: number): ReturnType<Finder> {
  return /\b(?:curl|wget|http)\b[^\n]*$/.test(text.slice(Math.max(0, at - 200), at))
    ? patternValue(USER, text, at)
    : undefined;
}

/** `mysql -u root -p…`, `sshpass -p …`. */
const PASSWORD_OPTION = /-p[ \t]?["']?([^\s"'`$<>{}|&;()-][^\s"'`$<>{}|&;()]{3,127})/y;

const PASSWORD_PROGRAM = /\b(?:mysql|mariadb|sshpass|mongo|(?:docker|podman) login)[^\n]*$/;

function passwordOptionAt(text: string, at: number): ReturnType<Finder> {
  if (!PASSWORD_PROGRAM.test(text.slice(Math.max(0, at - 200), at))) return undefined;
  const value = patternValue(PASSWORD_OPTION, text, at);
  return value && !isWord(value[1]) ? value : undefined;
}

/** The first group is the name, the second its value. */
function namedValueAt(pattern: RegExp, text: string, at: number): ReturnType<Finder> {
  pattern.lastIndex = at;
  const [whole, name = '', value = ''] = pattern.exec(text) ?? [];
  if (whole === undefined || !saysSecret(name) || value.startsWith('-') || standsFor(value) || isWord(value))
    return undefined;
  return [at + whole.lastIndexOf(value), value];
}

function patternValue(pattern: RegExp, text: string, at: number): readonly [number, string] | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const value = match?.[1] ?? match?.[2];
  if (!match || value === undefined || standsFor(value)) return undefined;
  return [at + match[0].lastIndexOf(value), value];
}

/** `pass` by itself does not count, because tests pass. */
export function saysSecret(name: string): boolean {
  return isSecretName(name) || /(?:[_.-]pass|[a-z]Pass|[_.-]PASS)$/.test(name);
}

/** Placeholders for a secret, and values that are filled in later. */
const STANDS_FOR =
  /^(?:[$<%{#*…]|\[\[gantry-secret-|(.)\1*$|(?:pass(?:word|wd)?|pwd|secret|token|string|null|true|false|none)$|\.{0,2}\/)|\$\{|\{\{|process\.env|os\.environ|example|change.?me|placeholder|your[-_ ]|dummy|redacted|\*{4}|x{6}/i;

function standsFor(value: string): boolean {
  return STANDS_FOR.test(value);
}

/** One word, or several with separators, which are common in code and documentation. */
function isWord(value: string): boolean {
  return /^[A-Za-z]*(?:[-_.:/][A-Za-z]+)*$/.test(value);
}

/** An RSA key of 16,384 bits takes up 13 kB. */
const LONGEST_KEY = 20_000;
const LINE_BREAK = /(?:\r?\n|\\n)/y;
const NEXT_LINE = /(?:\r?\n|\\n)[A-Za-z0-9+/]{4,70}={0,2}(?=\r?\n|\\n|$|["'])/y;

/**
 * A line of base64 with the length of lines in private keys, followed by another: part of a key that lost both ends.
 * Certificates are excluded by the line above them, and lines of attachments are longer.
 */
export function keyLineBetween(
  text: string,
  start: number,
  end: number,
  isInPublicBlock: (at: number) => boolean,
): SecretSpan | undefined {
  if (end - start !== 64 && end - start !== 70) return undefined;
  LINE_BREAK.lastIndex = end;
  if (!LINE_BREAK.test(text)) return undefined;
  NEXT_LINE.lastIndex = end;
  const next = NEXT_LINE.exec(text)?.[0] ?? '';
  const line = text.slice(start, end);
  if (next === '' || !/^[A-Za-z0-9+/]+$/.test(line) || !looksRandom(line) || isInPublicBlock(start)) return undefined;
  return { start, end: end + next.length, kind: 'private-key' };
}

const BEGIN = '-----BEGIN ';

/** Whether the last block that begins before a position is a certificate or the like. Positions must be in order. */
export function publicBlocks(text: string): (at: number) => boolean {
  let [begin, next] = [-1, 0];
  return (at) => {
    for (; next >= 0 && next + BEGIN.length <= at; next = text.indexOf(BEGIN, next + 1)) {
      if (text.startsWith(BEGIN, next)) begin = next;
    }
    if (begin < 0 || begin < at - LONGEST_KEY) return false;
    return !/^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/.test(text.slice(begin, Math.min(begin + 80, at)));
  };
}

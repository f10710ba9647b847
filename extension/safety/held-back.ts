import { SHAPES_BEGIN_WITH, thirdsAfter } from './known-shapes.ts';

/**
 * Where the end of a text begins that may turn out to be a secret, or to reveal one, when more text arrives. Not before
 * `start`. The length of the text if all of it can be shown. The time does not depend on what is before `start`.
 */
export function heldFrom(text: string, start: number): number {
  const end = text.slice(-FARTHEST);
  const offset = text.length - end.length;
  const places = [openKey(text, start), lastWord(text, start), offset + openValue(end), offset + lineOfData(end)];
  return Math.max(start, Math.min(...places));
}

/** Where the end of a text begins that may be the beginning of this value. */
export function valueBegins(text: string, start: number, value: string): number {
  const first = value.charAt(0);
  for (let at = text.indexOf(first, Math.max(start, text.length - value.length + 1)); at >= 0; ) {
    if (value.startsWith(text.slice(at))) return at;
    at = text.indexOf(first, at + 1);
  }
  return text.length;
}

/** More than a name, its sign and the longest value in quotes, or an element with its attributes. */
const FARTHEST = 700;

const SECRET_WORD = /pass|pwd|secret|token|key|credential/i;

/** What may make the next word a secret: a name, a header, an option, a program that takes a password. */
const REVEALS =
  /pass|pwd|secret|token|key|credential|auth|bearer|basic|login|curl|wget|http|mysql|mariadb|mongo|docker|podman/i;
const REVEALS_WITHIN = 200;

function lastWord(text: string, from: number): number {
  let start = text.length;
  while (start > from && text.charCodeAt(start - 1) > SPACE) start--;
  const run = text.slice(start);
  if (run === '') return start;
  if (REVEALS.test(text.slice(Math.max(0, start - REVEALS_WITHIN))) || /:\/\/[^\s/]*$/.test(run)) return start;
  // Languages without spaces have no other end of a word. A value of a name is not decided here.
  const ascii = run.slice(run.search(ASCII_END));
  if (/[=:%\\@>]/.test(ascii)) return text.length - ascii.length;
  const token = ascii.slice(ascii.search(TOKEN_END));
  return isPlain(token) ? text.length : text.length - token.length;
}

const SPACE = 32;
/** The lookbehind keeps the search linear. */
const ASCII_END = /(?<![!-~])[!-~]*$/;
const TOKEN_END = /(?<![\w+/.~-])[\w+/.~-]*$/;

/** Whether this is words, which are shown at once, although a key could begin like them. */
function isPlain(token: string): boolean {
  if (/[-/]{2}|[-/]$/.test(token)) return false;
  return token.split(/[-./]/).every((word) => PLAIN.test(word) && !mayBeginShape(word));
}

const PLAIN = /^[A-Za-z]?[a-z]{0,24}$/;

function mayBeginShape(word: string): boolean {
  if (word.length < 2) return word !== '' && SHAPES_BEGIN_WITH.some((begins) => begins.startsWith(word));
  const index = SHAPES_BEGIN_WITH.indexOf(word.slice(0, 2));
  return index >= 0 && (word.length === 2 || thirds(index).has(word.charCodeAt(2)));
}

function thirds(index: number): ReadonlySet<number> {
  const known = THIRDS.get(index) ?? new Set(thirdsAfter(index));
  THIRDS.set(index, known);
  return known;
}

/** A cache, by the index of the beginning. */
const THIRDS = new Map<number, ReadonlySet<number>>();

/** A name, its sign, and a value that may continue. What follows the value on its line also decides about it. */
const NAMED =
  /(?:passw(?:or)?d|passphrase|passcode|pass|pwd|secret|token|key|base|credentials?)["'\\\]]{0,4}[ \t]{0,4}(?::[ \t]{0,2}string[ \t]{0,2}|:)?(?:=>|=|:)([ \t]{0,8}(?:\\?"[^"\r\n]{0,257}(?:"[ \t]{0,8})?|\\?'[^'\r\n]{0,257}(?:'[ \t]{0,8})?|`[^`\r\n]{0,257}`?|[^\s"'`]{0,600}[ \t]{0,8}))$/i;
const ELEMENT = /<[\w.:-]{2,60}[^<>]{0,300}>(\s{0,80}(?:<!\[CDATA\[)?[^\s<>]{0,256}(?:\]\]>)?\s{0,80}<?)$/;
const PAIR = /[\s\S]{0,160}value["'\\]{0,4}[ \t]{0,4}[:=>][ \t]{0,4}(\\?["'][^"'\\\r\n]{0,256})$/i;

function openValue(text: string): number {
  if (!SECRET_WORD.test(text)) return text.length;
  const named = NAMED.exec(text)?.[1] ?? '';
  const inElement = text.includes('<') ? markedValue(ELEMENT.exec(text)) : '';
  const inPair = /value/i.test(text) ? markedValue(PAIR.exec(text)) : '';
  return text.length - Math.max(named.length, inElement.length, inPair.length);
}

function markedValue(match: RegExpExecArray | null): string {
  return match && SECRET_WORD.test(match[0]) ? (match[1] ?? '') : '';
}

/** A line of base64 is part of a key, part of an attachment or neither, depending on the line after it. */
const LINE_OF_DATA = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{32,128}={0,2}(?:\r?\n|\r)(?:[A-Za-z0-9+/]{0,128}={0,2}\r?)?$/;

function lineOfData(text: string): number {
  return LINE_OF_DATA.exec(text)?.index ?? text.length;
}

const BEGIN = '-----BEGIN ';
const BEGINS_KEY = /^-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const ENDS_KEY = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** The first line is not complete yet. */
const BEGINS = /^-----BEGIN [A-Z0-9 ]{0,60}-{0,4}$/;

/** A private key that has not ended. */
function openKey(text: string, start: number): number {
  for (let at = text.indexOf(BEGIN, start); at >= 0; at = text.indexOf(BEGIN, at + 1)) {
    const rest = text.slice(at);
    if (BEGINS.test(rest) || (BEGINS_KEY.test(rest) && !ENDS_KEY.test(rest))) return at;
  }
  return text.length;
}

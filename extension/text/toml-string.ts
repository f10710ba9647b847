import type { TomlValue } from './toml-syntax.ts';

/** The text of a TOML string, with the offset in the file of each of its UTF-16 units and of its end. */
export interface TomlString {
  readonly text: string;
  readonly offsets: readonly number[];
}

const SHORT: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001b',
  '"': '"',
  '\\': '\\',
};

/** By the letter of the escape. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads the string at a value, whose end may be missing. Invalid escapes are kept as they are. */
export function readTomlString(file: string, value: TomlValue): TomlString {
  const quote = file[value.start] ?? '';
  const isLong = file.startsWith(quote.repeat(3), value.start) && value.end >= value.start + 3;
  const fence = isLong ? 3 : 1;
  const end = value.isOpen ? value.end : value.end - fence;
  let text = '';
  const offsets: number[] = [];
  const add = (written: string, at: number): void => {
    for (let unit = 0; unit < written.length; unit++) offsets.push(at);
    text += written;
  };
  let at = value.start + fence;
  if (isLong) at += lineBreakAt(file, at);
  while (at < end) {
    const length = quote === '"' && file[at] === '\\' ? escapeLength(file, at, end, isLong) : 1;
    // The reader of commands has turned all line ends into LF.
    const isBreak = file.startsWith('\r\n', at);
    add(isBreak ? '\n' : length === 1 ? (file[at] ?? '') : unescaped(file.slice(at, at + length)), at);
    at += isBreak ? 2 : length;
  }
  offsets.push(end);
  return { text, offsets };
}

function lineBreakAt(file: string, at: number): number {
  if (file.startsWith('\r\n', at)) return 2;
  return file[at] === '\n' ? 1 : 0;
}

function escapeLength(file: string, at: number, end: number, isLong: boolean): number {
  // A backslash at the end of a line removes all blanks and line ends after it.
  const trimmed = isLong ? /\\[ \t]*\r?\n[ \t\r\n]*/y : undefined;
  if (trimmed) trimmed.lastIndex = at;
  const removed = trimmed?.exec(file)?.[0];
  return Math.min(removed?.length ?? 2 + (DIGITS[file[at + 1] ?? ''] ?? 0), end - at);
}

function unescaped(written: string): string {
  const letter = written[1] ?? '';
  if (/[ \t\r\n]/.test(letter)) return '';
  if (DIGITS[letter] === undefined) return SHORT[letter] ?? written;
  const code = Number.parseInt(written.slice(2), 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : written;
}

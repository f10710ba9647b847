const LETTERS: Readonly<Record<string, string>> = {
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/**
 * The text of `$'…'`, from after its first quote. Undefined if shells decode it differently, or if it contains a
 * character that isn't ASCII, whose bytes depend on the locale.
 */
export function decodeEscapes(
  source: string,
  start: number,
): { readonly text: string; readonly end: number } | undefined {
  let text = '';
  for (let at = start; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (sign === "'") return { text, end: at + 1 };
    if (sign !== '\\') {
      text += sign;
      continue;
    }
    const [all, hex, octal, letter = ''] =
      /^\\(?:x([0-7][0-9a-fA-F])(?![0-9a-fA-F])|([01][0-7]{2}|[0-7]{1,2}(?![0-7]))|(.))/s.exec(
        source.slice(at, at + 5),
      ) ?? [];
    if (all === undefined) return undefined;
    const code = hex === undefined ? octal && Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    const decoded = code === undefined ? LETTERS[letter] : String.fromCharCode(Number(code));
    if (decoded === undefined || decoded === '\0') return undefined;
    text += decoded;
    at += all.length - 1;
  }
  return undefined;
}

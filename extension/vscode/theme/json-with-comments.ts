/** The value of JSON as VS Code's own files have it: with comments and commas at the end. Undefined when it is none. */
export function parseJsonWithComments(text: string): unknown {
  try {
    return JSON.parse(plainJson(text));
  } catch {
    return undefined;
  }
}

/** A string, a comment, or a comma with nothing but blanks and comments before the closing bracket. */
const SPECIAL = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|,/g;
const TO_CLOSING = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]]/y;

function plainJson(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(SPECIAL, (piece, at: number, whole: string) => {
    if (piece.startsWith('"')) return piece;
    if (piece !== ',') return ' ';
    TO_CLOSING.lastIndex = at + 1;
    return TO_CLOSING.test(whole) ? ' ' : piece;
  });
}

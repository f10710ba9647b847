/** The value of JSON as VS Code's own files have it: with comments and commas at the end. Undefined when it is none. */
export function parseJsonWithComments(text: string): unknown {
  try {
    return JSON.parse(plainJson(text));
  } catch {
    return undefined;
  }
}

/** A string, a comment, blanks, or any other character; each ends where the next one begins, so no text is read twice. */
const PIECE = /"(?:[^"\\]|\\.)*"?|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|\s+|[^"/\s]|\//gs;

function plainJson(text: string): string {
  const pieces: string[] = [];
  let comma: number | undefined;
  for (const [piece] of text.replace(/^\uFEFF/, '').matchAll(PIECE)) {
    if (/^(?:\s|\/[/*])/.test(piece)) continue;
    if (comma !== undefined && (piece === '}' || piece === ']')) pieces[comma] = '';
    comma = piece === ',' ? pieces.length : undefined;
    pieces.push(piece);
  }
  return pieces.join('');
}

interface TextPiece {
  readonly text: string;
  /** True if `text` is a code such as "U+200B" that replaces invisible characters. */
  readonly hidden: boolean;
}

/**
 * Control characters, blanks other than the space, and everything that Unicode lets a font omit. The braille blank is
 * included because its glyph is empty. Line breaks and tabs are displayed as such.
 */
const HIDDEN =
  /((?!\r\n|[\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs})\1*/gu;

/** Makes invisible characters visible in text that the user is about to approve. */
export function visiblePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), hidden: false });
    pieces.push({ text: codeOf(match[0], match[1] ?? ''), hidden: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hidden: false });
  return pieces;
}

function codeOf(run: string, character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const times = run.length / character.length;
  return times > 1 ? `${code} ×${times}` : code;
}

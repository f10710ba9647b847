/** A piece of a sentence the host wrote about a call. */
export type WordPiece = { readonly kind: 'text' | 'code'; readonly text: string } | RulePlace;

/** Where a rule stands, such as "write.toml:4 (shipped)". */
export interface RulePlace {
  readonly kind: 'rule';
  readonly text: string;
  readonly file: string;
  readonly tier: string;
  readonly line?: number;
}

/** Words in backticks, and the names of rule files behind the word "Rule". */
const SPECIAL = /`(?<code>[^`\n]+)`|(?<=\bRule )(?<file>[^\s/\\:]+\.toml)(?::(?<line>\d{1,7}))?(?= \((?<tier>\w+)\))/g;

export function wordPieces(sentence: string): readonly WordPiece[] {
  const pieces: WordPiece[] = [];
  let from = 0;
  for (const match of sentence.matchAll(SPECIAL)) {
    if (match.index > from) pieces.push({ kind: 'text', text: sentence.slice(from, match.index) });
    pieces.push(special(match));
    from = match.index + match[0].length;
  }
  if (from < sentence.length) pieces.push({ kind: 'text', text: sentence.slice(from) });
  return pieces;
}

function special({ 0: text, groups }: RegExpMatchArray): WordPiece {
  const { code, file, line, tier = '' } = groups ?? {};
  if (file === undefined) return { kind: 'code', text: code ?? text };
  return { kind: 'rule', text, file, tier, ...(line !== undefined && { line: Number(line) }) };
}

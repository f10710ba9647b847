import * as l10n from '@vscode/l10n';

/** A piece of a sentence about a call that the host wrote. */
export type LinkedPiece = { readonly kind: 'text' | 'code'; readonly text: string } | RulePlace;

/** The location of a rule, such as "write.toml:4 (shipped)". */
export interface RulePlace {
  readonly kind: 'rule';
  readonly text: string;
  readonly file: string;
  readonly tier: string;
  readonly line?: number;
}

/** Words in backticks, and the names of rule files after the word "Rule". */
const SPECIAL =
  /`(?<code>[^`\n]+)`|(?<=\bRule )(?<file>[^\s/\\:]+\.toml)(?::(?<line>\d{1,7}))?(?= \((?<tier>\w+(?: [\w-]+)?)\))/g;

export function linkedPieces(sentence: string): readonly LinkedPiece[] {
  const pieces: LinkedPiece[] = [];
  let from = 0;
  for (const match of sentence.matchAll(SPECIAL)) {
    if (match.index > from) pieces.push({ kind: 'text', text: sentence.slice(from, match.index) });
    pieces.push(special(match));
    from = match.index + match[0].length;
  }
  if (from < sentence.length) pieces.push({ kind: 'text', text: sentence.slice(from) });
  return pieces;
}

function special({ 0: text, groups }: RegExpMatchArray): LinkedPiece {
  const { code, file, line, tier = '' } = groups ?? {};
  if (file === undefined) return { kind: 'code', text: code ?? text };
  return { kind: 'rule', text, file, tier, ...(line !== undefined && { line: Number(line) }) };
}

/** Translates the location of a rule: stored sentences are in English, as the model gets them. */
export function ruleWords(sentence: string): string {
  return inOwnLanguage(linkedPieces(sentence))
    .map(({ kind, text }) => (kind === 'code' ? `\`${text}\`` : text))
    .join('');
}

/** Keeps the file name of a rule and translates the words around it. */
export function inOwnLanguage(pieces: readonly LinkedPiece[]): readonly LinkedPiece[] {
  const [before = '', between = '', after = ''] = l10n.t('Rule {0} ({1})').split(/\{\d\}/);
  return pieces.map((piece, index): LinkedPiece => {
    if (piece.kind !== 'text') return piece;
    const last = pieces[index - 1];
    const begins = last?.kind === 'rule' ? ` (${last.tier})` : '';
    const text =
      piece.text.startsWith(begins) && last?.kind === 'rule'
        ? between + tierWord(last.tier) + after + piece.text.slice(begins.length)
        : piece.text;
    return { kind: 'text', text: pieces[index + 1]?.kind === 'rule' ? text.replace(/Rule $/, () => before) : text };
  });
}

const EXTENSION = 'extension ';

function tierWord(tier: string): string {
  switch (tier) {
    case 'shipped':
      return l10n.t('shipped');
    case 'extension':
      return l10n.t('extension');
    case 'workspace':
      return l10n.t('workspace');
    case 'user':
      return l10n.t('user');
    case 'administrator':
      return l10n.t('administrator');
    default:
      return tier.startsWith(EXTENSION) ? l10n.t('extension {0}', tier.slice(EXTENSION.length)) : tier;
  }
}

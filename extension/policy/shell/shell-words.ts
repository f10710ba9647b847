import type { ShellNode } from './shell-node.ts';
import type { ShellWord } from './shell-types.ts';

/** A piece of a word: literal text, or something only known at run time. */
type Piece = { readonly text: string; readonly quoted: boolean } | 'unknown';

/** The word of a node. Nothing is guessed: a value that isn't certain is undefined. */
export function readWord(node: ShellNode): ShellWord {
  const source = node.text;
  // A shortcut for most words; the rest of the function takes several times as long.
  if (isPlain(node)) return { value: source, source, beginning: source };
  const pieces = piecesOf(node);
  const unquoted = pieces.map((piece) => (piece !== 'unknown' && !piece.quoted ? piece.text : '\0')).join('');
  let beginning = '';
  let known = !isExpanded(unquoted);
  for (const piece of pieces) {
    if (piece === 'unknown') {
      known = false;
      break;
    }
    const glob = piece.quoted ? -1 : piece.text.search(/(?<!\\)[*?[{]/);
    if (!known && glob >= 0) {
      beginning += withoutBackslashes(piece.text.slice(0, glob));
      break;
    }
    beginning += piece.quoted ? piece.text : withoutBackslashes(piece.text);
  }
  const word = { value: known ? beginning : undefined, source, beginning };
  return pieces.includes('unknown') && !isQuoted(node) ? { ...word, maySplit: true } : word;
}

function isPlain(node: ShellNode): boolean {
  const { type, children } = node;
  return node.isPlainWord || (type === 'command_name' && children.length === 1 && children[0]?.isPlainWord === true);
}

/** Whether double quotes surround every part only known at run time. `"$@"` expands to several words anyway. */
function isQuoted(node: ShellNode): boolean {
  if (node.type === 'string') return !/\$(?:@|\{[^}]*@)/.test(node.text);
  const parts = node.namedChildren.filter((child) => piecesOf(child).includes('unknown'));
  return (node.type === 'concatenation' || node.type === 'command_name') && parts.every(isQuoted);
}

/** Whether bash would expand the text: patterns, braces that make several words, and home folders after `=` or `:`. */
function isExpanded(unquoted: string): boolean {
  const bare = unquoted.replace(/\\[\s\S]/g, '');
  return /[*?[]/.test(bare) || (bare.includes('{') && /,|\.\./.test(bare)) || /[=:]~/.test(bare);
}

function piecesOf(node: ShellNode): readonly Piece[] {
  switch (node.type) {
    case 'word':
    case 'number':
    case 'variable_name':
    case 'test_operator':
      // An unescaped special character can't occur here unless the grammar misread the text.
      if (node.namedChildren.length > 0 || /(?<!\\)(?:\\\\)*["'`$<>|&;()\s]/.test(node.text)) return ['unknown'];
      return [{ text: node.text, quoted: false }];
    case 'raw_string':
      return [{ text: node.text.slice(1, -1), quoted: true }];
    case 'string':
      return stringPieces(node);
    case 'command_name':
    case 'concatenation':
      return node.children.flatMap((child, index, all) => {
        if (child.type !== '$') return piecesOf(child);
        // A lone dollar is literal, but before a quote it changes the meaning of the quote.
        return all[index + 1] === undefined ? [{ text: '$', quoted: true }] : (['unknown'] as const);
      });
    default:
      return ['unknown'];
  }
}

function stringPieces(node: ShellNode): readonly Piece[] {
  const { text } = node;
  const first = node.namedChildren.find((child) => child.type !== 'string_content');
  if (!text.startsWith('"') || !text.endsWith('"')) return ['unknown'];
  if (!first) return [{ text: withinDoubleQuotes(text.slice(1, -1)), quoted: true }];
  return [{ text: withinDoubleQuotes(text.slice(1, first.startIndex - node.startIndex)), quoted: true }, 'unknown'];
}

function withinDoubleQuotes(text: string): string {
  return text.replace(/\\([$`"\\\n])/g, (_, character: string) => (character === '\n' ? '' : character));
}

function withoutBackslashes(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, character: string) => (character === '\n' ? '' : character));
}

import type { WordPiece, WordToken } from './shell-tokens.ts';
import type { ShellWord, SubCommand } from './shell-types.ts';
import { readStrictly, type StrictLine } from './strict-shell.ts';

/** Characters that have no special meaning in any shell, wherever the word is. */
const PLAIN = /^[\w./,@%+:-][\w./,@%+:=-]*$/;

/** The result of rewriting a line that the grammar has parsed. */
export type Rewritten =
  /** The same line with every word quoted by Gantry, and without anything that wasn't understood. */
  | { readonly kind: 'written'; readonly text: string }
  /** Part of the line can't be rewritten exactly. */
  | { readonly kind: 'unwritten' }
  /** The strict reader finds other commands than the grammar. */
  | { readonly kind: 'misread' };

/**
 * Rewrites a line from its words. Grammars and shells never agree on everything, but they all read the rewritten line
 * alike. It is parsed again to make sure.
 */
export function writeAnew(
  source: string,
  commands: readonly SubCommand[],
  /** The commands that the grammar finds in a text. Undefined if it finds anything else. */
  parse: (text: string) => readonly SubCommand[] | undefined,
  /** Scripts for an inner shell, with the rewritten script. */
  scripts: ReadonlyMap<ShellWord, string | undefined>,
): Rewritten {
  const strict = readStrictly(source);
  if (!strict) return { kind: 'unwritten' };
  if (!agree(strict, commands)) return { kind: 'misread' };
  const again = textOf(strict);
  if (!isReadBack(again, parse)) return { kind: 'unwritten' };
  if ([...scripts.values()].includes(undefined)) return { kind: 'unwritten' };
  return { kind: 'written', text: scripts.size === 0 ? again : textOf(strict, replacedIn(strict, commands, scripts)) };
}

function isReadBack(text: string, parse: (text: string) => readonly SubCommand[] | undefined): boolean {
  const strict = readStrictly(text);
  const commands = parse(text);
  return strict !== undefined && commands !== undefined && agree(strict, commands) && textOf(strict) === text;
}

/** Whether both parsers found the same commands with the same words, and the same written files. */
function agree({ commands, writes }: StrictLine, tree: readonly SubCommand[]): boolean {
  if (commands.length !== tree.length) return false;
  const isSame = commands.every(({ text, words }, index) => {
    const other = tree[index];
    if (other?.text !== text) return false;
    // For a test, the grammar has a tree instead of words.
    if (isTest(other)) return words.every(({ value }) => value !== '-v' && value !== '-R');
    return words.length === other.words.length && words.every((word, at) => isSameWord(word, other.words[at]));
  });
  const written = new Set(tree.flatMap((command) => command.writes.map((word) => word.source)));
  return (
    isSame &&
    written.size === new Set(writes.map((word) => word.source)).size &&
    writes.every(({ source }) => written.has(source))
  );
}

function isTest({ words }: SubCommand): boolean {
  return words.length === 1 && words[0]?.value === '[';
}

function isSameWord({ source, value }: WordToken, other: ShellWord | undefined): boolean {
  return other?.source === source && other.value === value;
}

function replacedIn(
  strict: StrictLine,
  commands: readonly SubCommand[],
  scripts: ReadonlyMap<ShellWord, string | undefined>,
): ReadonlyMap<WordToken, string> {
  const replaced = new Map<WordToken, string>();
  for (const [index, { words }] of strict.commands.entries()) {
    for (const [at, word] of words.entries()) {
      const known = commands[index]?.words[at];
      const script = known && scripts.get(known);
      if (script !== undefined) replaced.set(word, script);
    }
  }
  return replaced;
}

function textOf({ parts }: StrictLine, replaced?: ReadonlyMap<WordToken, string>): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part === ';' || text === '' ? part : ` ${part}`;
    else {
      const script = replaced?.get(part);
      text += `${text === '' ? '' : ' '}${script === undefined ? wordText(part) : quote(script)}`;
    }
  }
  return text;
}

function wordText({ value, pieces }: WordToken): string {
  const startsAtHome = pieces[0]?.kind === 'home';
  if (value !== undefined && !startsAtHome) return PLAIN.test(value) ? value : quote(value);
  let text = '';
  let literal = '';
  const flush = (): void => {
    if (literal !== '') text += PLAIN.test(literal) && !literal.includes('=') ? literal : quote(literal);
    literal = '';
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      literal += piece.text;
      continue;
    }
    flush();
    text += expansionText(piece);
  }
  flush();
  // The slash after `~` must stay unquoted.
  return startsAtHome ? text.replace(/^~'\//, "~/'") : text;
}

function expansionText(piece: Exclude<WordPiece, { kind: 'text' }>): string {
  if (piece.kind === 'home') return '~';
  if (piece.kind === 'pattern') return piece.text;
  if (piece.name === '?') return piece.quoted ? '"$?"' : '$?';
  return piece.quoted ? `"\${${piece.name}}"` : `\${${piece.name}}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import { evaluatesUnseen } from './evaluated-text.ts';
import type { ShellTree, ShellWord, SubCommand } from './shell-types.ts';
import type { StrictAssignment, StrictCommand, StrictLine } from './strict-parts.ts';
import { readStrictly } from './strict-shell.ts';
import type { StrictWord, WordPiece } from './strict-words.ts';
import { lineText } from './write-words.ts';

/** The result of rewriting a line that the grammar has parsed. */
export type Rewritten =
  /** The same line with every word quoted by Gantry, and without anything that wasn't understood. */
  | { readonly kind: 'written'; readonly text: string; readonly isPlain: boolean; readonly decoded: DecodedWords }
  /** Part of the line can't be rewritten exactly. */
  | { readonly kind: 'unwritten' }
  /** The strict reader finds other commands than the grammar. */
  | { readonly kind: 'misread' };

/** For commands with `$'…'` or braces, which the grammar doesn't decode, the words as they are rewritten. */
export type DecodedWords = ReadonlyMap<SubCommand, readonly ShellWord[]>;

/**
 * Rewrites a line from its words. Grammars and shells never agree on everything, but they all read the rewritten line
 * alike. It is parsed again to make sure.
 */
export function writeAnew(
  source: string,
  tree: ShellTree,
  /** What the grammar finds in a text. Undefined if it can't parse it. */
  parse: (text: string) => ShellTree | undefined,
  /** Scripts for an inner shell, with the rewritten script. */
  scripts: ReadonlyMap<ShellWord, string | undefined>,
  /** The commands that others run. */
  inner: readonly SubCommand[],
): Rewritten {
  const strict = readStrictly(source);
  if (!strict) return { kind: 'unwritten' };
  const pairs = paired(strict, tree);
  if (!pairs) return { kind: 'misread' };
  if (evaluatesUnseen(strict, [...pairs.map(withExactWords), ...inner], scripts)) return { kind: 'unwritten' };
  const again = lineText(strict);
  if (!isReadBack(again, strict, tree, parse)) return { kind: 'unwritten' };
  if ([...scripts.values()].includes(undefined)) return { kind: 'unwritten' };
  const text = scripts.size === 0 ? again : lineText(strict, replacedIn(pairs, scripts));
  return { kind: 'written', text, isPlain: strict.isPlain, decoded: decodedIn(pairs) };
}

function decodedIn(pairs: Pairs): DecodedWords {
  const found = new Map<SubCommand, readonly ShellWord[]>();
  for (const [{ words }, other] of pairs) {
    if (words.some((word, at) => isDecoded(word, other.words[at])))
      found.set(
        other,
        words.flatMap((word, at) => decoded(word, other.words[at])),
      );
  }
  return found;
}

function isDecoded({ forms, value, prefix }: StrictWord, other: ShellWord | undefined): boolean {
  if (!other || other.value !== undefined || prefix !== undefined) return false;
  return forms.length > 1 || value !== undefined;
}

function decoded(word: StrictWord, other: ShellWord | undefined): readonly ShellWord[] {
  if (!other) return [];
  return isDecoded(word, other) ? word.forms.map((form) => ({ ...other, ...knownOf(form) })) : [other];
}

function knownOf(form: readonly WordPiece[]): Pick<ShellWord, 'value' | 'beginning'> {
  const start = form.findIndex(({ kind }) => kind !== 'text');
  const known = start < 0 ? form : form.slice(0, start);
  const beginning = known.map((piece) => ('text' in piece ? piece.text : '')).join('');
  return { value: start < 0 ? beginning : undefined, beginning };
}

/** The words that the command gets. The grammar doesn't read braces, and for a test it has a tree instead of words. */
function withExactWords([{ words }, command]: Pairs[number]): SubCommand {
  if (!isTest(command) && words.every(({ forms }) => forms.length <= 1)) return command;
  return { ...command, words: words.flatMap(({ forms, source }) => forms.map((form) => exactWord(form, source))) };
}

function exactWord(form: readonly WordPiece[], source: string): ShellWord {
  return { source, ...knownOf(form), ...(!form.every(isOneWord) && { maySplit: true }) };
}

/** Whether a piece adds to its word, whatever it contains. `"$@"` becomes several words. */
function isOneWord(piece: WordPiece): boolean {
  if (!('quoted' in piece)) return piece.kind !== 'pattern';
  return piece.quoted && !('name' in piece && piece.name === '@') && !('text' in piece && piece.text.startsWith('@'));
}

function isReadBack(
  text: string,
  before: StrictLine,
  { concerns }: ShellTree,
  parse: (text: string) => ShellTree | undefined,
): boolean {
  const strict = readStrictly(text);
  const tree = parse(text);
  if (!strict || !tree || !paired(strict, tree) || lineText(strict) !== text) return false;
  return (
    valuesIn(strict) === valuesIn(before) &&
    strict.writes.length === before.writes.length &&
    tree.concerns.every((concern) => concerns.includes(concern))
  );
}

/** All words, in any order: the commands in a here-document follow later than those in a here-string. */
function valuesIn({ commands }: StrictLine): string {
  return JSON.stringify(commands.map(({ words }) => JSON.stringify(words.flatMap(valuesOf))).sort());
}

/** The values of the words that braces make. NULL for one that is only known at run time. */
function valuesOf({ forms, value, prefix = '' }: StrictWord): readonly (string | null)[] {
  if (forms.length <= 1) return [value === undefined ? null : `${prefix}${value}`];
  return forms.map((form) =>
    form.every((piece) => piece.kind === 'text') ? form.map((piece) => 'text' in piece && piece.text).join('') : null,
  );
}

type Pairs = readonly (readonly [StrictCommand, SubCommand])[];

/** The commands that both parsers found. Undefined unless they found the same words, written files and variables. */
function paired(strict: StrictLine, tree: ShellTree): Pairs | undefined {
  if (strict.commands.length !== tree.commands.length) return undefined;
  const left = [...tree.commands];
  const pairs: (readonly [StrictCommand, SubCommand])[] = [];
  for (const command of strict.commands) {
    const at = left.findIndex((other) => isSameCommand(command, other));
    const [other] = at < 0 ? [] : left.splice(at, 1);
    if (!other) return undefined;
    pairs.push([command, other]);
  }
  const written = new Set(tree.commands.flatMap((command) => command.writes.map((word) => word.source)));
  const writes = new Set(strict.writes.map((word) => word.source));
  const isSame = written.size === writes.size && [...writes].every((source) => written.has(source));
  return isSame && setSame(strict.assignments, tree) ? pairs : undefined;
}

function isSameCommand(command: StrictCommand, other: SubCommand): boolean {
  const { text, withStrings, words, isDeclaration } = command;
  // The grammar omits a lone dash before `<<`.
  const isDash = words.length > 1 && words.at(-1)?.source === '-' && text.replace(/\s+-$/, '') === other.text;
  if (other.text !== text && other.text !== withStrings && !isDash) return false;
  if (isTest(other)) return words.every(({ value }) => value !== '-v' && value !== '-R');
  // The judge must know which program it is.
  if (words.length !== other.words.length || words[0]?.value !== other.words[0]?.value) return false;
  return words.every((word, at) => isSameWord(word, other.words[at], isDeclaration === true));
}

function isTest({ words }: SubCommand): boolean {
  return words.length === 1 && words[0]?.value === '[';
}

function isSameWord({ source, value, prefix }: StrictWord, other: ShellWord | undefined, isArgument: boolean): boolean {
  if (other?.source !== source) return false;
  if (other.value === undefined && (prefix !== undefined || source.includes("$'"))) return true;
  return other.value === value || (isArgument && other.value === undefined);
}

function setSame(assignments: readonly StrictAssignment[], { assigned }: ShellTree): boolean {
  const names = new Set(assignments.map(({ name }) => name));
  return (
    [...assigned.keys()].every((name) => names.has(name)) &&
    assignments.every(({ name, word }) => {
      const source = word?.source.slice(word.prefix?.length ?? 0);
      return word === undefined || assigned.get(name)?.some((other) => other.source === '' || other.source === source);
    })
  );
}

function replacedIn(
  pairs: Pairs,
  scripts: ReadonlyMap<ShellWord, string | undefined>,
): ReadonlyMap<StrictWord, string> {
  const replaced = new Map<StrictWord, string>();
  for (const [{ words }, other] of pairs) {
    for (const [at, word] of words.entries()) {
      const known = other.words[at];
      const script = known && scripts.get(known);
      if (script !== undefined) replaced.set(word, script);
    }
  }
  return replaced;
}

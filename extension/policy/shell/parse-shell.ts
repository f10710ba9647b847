import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Parser } from 'web-tree-sitter';
import { once } from '../../base/once.ts';
import { readTree } from './read-tree.ts';
import { type Grammar, grammarOf, ShellNode } from './shell-node.ts';
import type { ParsedShell, ShellParser, ShellTree } from './shell-types.ts';
import { isUnknownCommand, type UnwrappedCommand, unwrapCommand } from './unwrap-command.ts';
import { type DecodedWords, type Rewritten, writeAnew } from './write-shell.ts';

/** Far longer than anyone reads before approving a command. */
const MAX_LENGTH = 20_000;
/** The grammar doesn't look at the time while it recovers from an error in a long pipeline: 10,000 pipes took 8 s. */
const MAX_PIPES = 1000;
/** Parsing an ordinary line takes well under a millisecond. */
const MAX_MILLISECONDS = 250;
/** The limit for nested shells such as `bash -c "bash -c '…'"`. */
const MAX_DEPTH = 4;

/** Characters that are invisible or that shells and grammars treat differently as word separators. */
const unseenCharacter = once(() => /(?![ \t\n])[\p{C}\p{Z}]/u);

/** `assets` is the folder that contains the two wasm files. */
export async function loadShellParser(assets: string): Promise<ShellParser> {
  const [{ Language, Parser }, engine, grammar] = await Promise.all([
    import('web-tree-sitter'),
    readFile(join(assets, 'web-tree-sitter.wasm')),
    readFile(join(assets, 'tree-sitter-bash.wasm')),
  ]);
  await Parser.init({ wasmBinary: engine });
  const language = await Language.load(grammar);
  const reader = { parser: new Parser().setLanguage(language), grammar: grammarOf(language) };
  return rememberParsed((command) => parseShell(reader, command, 0));
}

interface Reader {
  readonly parser: Parser;
  readonly grammar: Grammar;
}

function parseShell(reader: Reader, command: string, depth: number): ParsedShell {
  const isTooLong = command.length > MAX_LENGTH || command.split('|').length > MAX_PIPES;
  if (isTooLong) return unreadable(l10n.t('it is too long to check'));
  const result = readCommands(reader, command);
  if (!result.parsed) return result;
  const parseScript = (script: string): ParsedShell =>
    depth < MAX_DEPTH ? parseShell(reader, script, depth + 1) : unreadable(l10n.t('too many shells inside each other'));
  const seen = unwrapCommand(result.tree.commands, parseScript);
  const concerns = new Set([...result.tree.concerns, ...concernsOfText(command), ...seen.concerns]);
  const rewritten = rewrite(reader, command, result.tree, seen);
  if (rewritten.kind === 'misread') concerns.add(l10n.t('words that can be read in more than one way'));
  const words = rewritten.kind === 'written' ? rewritten.decoded : NOTHING_DECODED;
  const commands = result.tree.commands.map((each) => ({ ...each, words: words.get(each) ?? each.words }));
  const decoded = words.size > 0 ? unwrapCommand(commands, parseScript) : seen;
  for (const concern of decoded.concerns) concerns.add(concern);
  // A script that only the decoded words show isn't rewritten, and neither is a line that may run anything.
  const isWritten =
    rewritten.kind === 'written' &&
    decoded.scripts.size === seen.scripts.size &&
    !decoded.commands.some(isUnknownCommand);
  return {
    parsed: true,
    commands: [...commands, ...decoded.commands],
    hasRedirection: result.tree.hasRedirection || decoded.hasRedirection,
    concerns: [...concerns],
    // A script of an inner shell has variables of its own.
    variables: decoded.scripts.size === 0 ? result.tree.variables : undefined,
    written: isWritten ? rewritten.text : undefined,
    isPlain: isWritten && rewritten.isPlain && concerns.size === 0 && decoded.isPlain,
  };
}

const NOTHING_DECODED: DecodedWords = new Map();

function rewrite(reader: Reader, command: string, tree: ShellTree, seen: UnwrappedCommand): Rewritten {
  const parse = (text: string): ShellTree | undefined => {
    const read = readCommands(reader, text);
    return read.parsed ? read.tree : undefined;
  };
  // Decoded words may show what it is.
  const known = seen.commands.filter((each) => !isUnknownCommand(each));
  return writeAnew(command, tree, parse, seen.scripts, known);
}

type Read = { readonly parsed: true; readonly tree: ShellTree } | Extract<ParsedShell, { parsed: false }>;

function readCommands({ parser, grammar }: Reader, command: string): Read {
  const deadline = performance.now() + MAX_MILLISECONDS;
  // Returning true cancels. The declared type returns void, but the documentation and the code say otherwise.
  const progressCallback = (): boolean => performance.now() > deadline;
  try {
    const parsed = parser.parse(command, null, { progressCallback });
    if (!parsed) return unreadable(l10n.t('reading it took too long'));
    try {
      const { rootNode } = parsed;
      if (rootNode.hasError) return unreadable(l10n.t('it has a syntax error or uses unsupported syntax'));
      // Bash expands the value like a prompt, including its command substitutions.
      if (/\$\{[^}]*@P\}/.test(command)) return unreadable(l10n.t('it expands a variable as a prompt (@P)'));
      const tree = readTree(new ShellNode(rootNode, { ...grammar, source: command }), command);
      return tree.commands.length === 0 ? unreadable(l10n.t('there is no command in it')) : { parsed: true, tree };
    } finally {
      parsed.delete();
    }
  } catch (error) {
    return unreadable(
      l10n.t('it could not be read ({0})', error instanceof Error ? error.message : l10n.t('unknown reason')),
    );
  } finally {
    // Without the reset, a cancelled parse would continue with the next text.
    parser.reset();
  }
}

function concernsOfText(command: string): string[] {
  const concerns: string[] = [];
  const unseen = unseenCharacter().exec(command)?.[0];
  if (unseen !== undefined) {
    const code = (unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    concerns.push(l10n.t('an invisible character (U+{0})', code));
  }
  // Bash joins the two halves of the word, while the grammar reads two words.
  if (/\S\\\n\S/.test(command)) concerns.push(l10n.t('a word that continues on the next line'));
  return concerns;
}

function unreadable(reason: string): Extract<ParsedShell, { parsed: false }> {
  return { parsed: false, reason };
}

/** A command is parsed when it is judged, when its question is made, and when a pending call is judged again. */
const MAX_KEPT = 50;

/** Caches the most recent results. Failures are not cached, because a parse may have failed for lack of time. */
export function rememberParsed(parse: (command: string) => ParsedShell): ShellParser {
  const kept = new Map<string, ParsedShell>();
  return {
    parse: (command) => {
      const parsed = kept.get(command) ?? parse(command);
      if (!parsed.parsed) return parsed;
      // Moves the entry to the end, so that the first entry is the least recently used.
      kept.delete(command);
      kept.set(command, parsed);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      return parsed;
    },
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Parser } from 'web-tree-sitter';
import { readTree } from './read-tree.ts';
import { rememberParsed } from './remember-parsed.ts';
import { seeThroughWrappers } from './see-through-wrappers.ts';
import { type Grammar, grammarOf, ShellNode } from './shell-node.ts';
import type { ParsedShell, ShellParser } from './shell-types.ts';

/** Far beyond what anyone reads before saying yes. */
const MAX_LENGTH = 20_000;
/** Ordinary lines take well under a millisecond. */
const MAX_MILLISECONDS = 250;
/** `bash -c "bash -c '…'"` and so on. */
const MAX_DEPTH = 4;

/** Characters that people cannot see or that shells and grammars cut words at differently. */
const UNSEEN = /(?![ \t\n])[\p{C}\p{Z}]/u;

/** `assets` is the folder with the two wasm files. */
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
  if (command.length > MAX_LENGTH) return unreadable(l10n.t('it is too long to be looked at'));
  const result = readCommands(reader, command);
  if (!result.parsed) return result;
  const seen = seeThroughWrappers(result.commands, (script) =>
    depth < MAX_DEPTH ? parseShell(reader, script, depth + 1) : unreadable(l10n.t('too many shells inside each other')),
  );
  return {
    parsed: true,
    commands: [...result.commands, ...seen.commands],
    hasRedirection: result.hasRedirection || seen.hasRedirection,
    concerns: [...new Set([...result.concerns, ...concernsOfText(command), ...seen.concerns])],
  };
}

function readCommands({ parser, grammar }: Reader, command: string): ParsedShell {
  const deadline = performance.now() + MAX_MILLISECONDS;
  // True cancels; the declared type says nothing is returned, the documentation and the code say otherwise.
  const progressCallback = (): boolean => performance.now() > deadline;
  try {
    const tree = parser.parse(command, null, { progressCallback });
    if (!tree) return unreadable(l10n.t('reading it took too long'));
    try {
      const { rootNode } = tree;
      if (rootNode.hasError) return unreadable(l10n.t('it has a syntax error or uses syntax that is not understood'));
      // What it expands to is read as a prompt, with the substitutions in it.
      if (/\$\{[^}]*@P\}/.test(command)) return unreadable(l10n.t('it expands a variable as a prompt (@P)'));
      const read = readTree(new ShellNode(rootNode, { ...grammar, source: command }), command);
      return read.commands.length === 0 ? unreadable(l10n.t('there is no command in it')) : read;
    } finally {
      tree.delete();
    }
  } catch (error) {
    return unreadable(
      l10n.t('it could not be read ({0})', error instanceof Error ? error.message : l10n.t('unknown reason')),
    );
  } finally {
    // Without this a parse that was cancelled would go on with the next text.
    parser.reset();
  }
}

function concernsOfText(command: string): string[] {
  const concerns: string[] = [];
  const unseen = UNSEEN.exec(command)?.[0];
  if (unseen !== undefined) {
    const code = (unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    concerns.push(l10n.t('a character that cannot be seen (U+{0})', code));
  }
  // Bash joins the two halves of the word, the grammar makes two words of them.
  if (/\S\\\n\S/.test(command)) concerns.push(l10n.t('a word that goes on in the next line'));
  return concerns;
}

function unreadable(reason: string): ParsedShell {
  return { parsed: false, reason };
}

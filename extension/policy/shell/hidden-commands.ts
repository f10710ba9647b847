import * as l10n from '@vscode/l10n';
import { type ProtectedPlaces, protectedPath } from '../protected-paths.ts';
import { destructiveCommand } from './destructive.ts';
import { literalWord, programOf, type ReadableShell } from './shell-types.ts';
import { NOWHERE } from './shell-writes.ts';
import { possiblePaths } from './unnamed-writes.ts';

const DESTROYERS = /^(?:rm|find|chmod|chown|chgrp|dd|shred|tee|cp|mv|wipefs|mkswap|mkfs(?:\..*)?)$/;
const TO_DEVICE = />\s*["']?\/dev\/(?!null\b|stdout\b|stderr\b|tty\b|fd\/)/;

/** Whether a line may run more than its commands show. If it isn't plain, words may name more than they show. */
export function hidesCommands({ commands, isPlain }: ReadableShell): boolean {
  return !isPlain || commands.some((each) => HIDING.has(programOf(each) ?? ''));
}

/** `xargs` gets file names from elsewhere, often from the same line. `eval` runs the command that its words form. */
const HIDING: ReadonlySet<string> = new Set(['xargs', 'eval']);

/** Searches a line for any word that names a protected file. Used if not all commands of the line are known. */
export function protectedInText(command: string, places: ProtectedPlaces): string | undefined {
  const found = wordsInText(command).find((word) => protectedPath(word, places));
  return found === undefined ? undefined : l10n.t('{0}, which is protected', found);
}

/** Everything in a line that may name a file. */
export function wordsInText(command: string): readonly string[] {
  // A quote may end a word or be inside of it, and a value may follow a variable's name: `${x:-.git}`.
  const words = [command, command.replace(/\$?["']|\\\n?/g, '')].flatMap((text) =>
    text.split(/[\s'"`;|&<>()={},]+|:[-=+?]/),
  );
  const paths = words.flatMap((word) => (/^-[A-Za-z]/.test(word) ? possiblePaths(word) : [word]));
  return [...new Set(paths)].filter((word) => word !== '' && !NOWHERE.test(word));
}

/** Searches a line for commands that destroy a disk, a home folder or the workspace. */
export function destructionInText(command: string, places: ProtectedPlaces): string | undefined {
  if (TO_DEVICE.test(command)) return l10n.t('writing to a device');
  for (const piece of command.split(/[;|&\n`()]+/)) {
    const words = piece
      .split(/[\s'"]+/)
      .filter((text) => text !== '' && text !== '--')
      .map(literalWord);
    const tried = new Set<string>();
    for (const [index, word] of words.entries()) {
      const name = programOf({ words: [word] }) ?? '';
      // The arguments of the first occurrence include those of later ones.
      if (!DESTROYERS.test(name) || tried.has(name)) continue;
      tried.add(name);
      const text = piece.trim();
      const found = destructiveCommand({ text, words: words.slice(index), writes: [], redirects: false }, places);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

import * as l10n from '@vscode/l10n';
import { type ProtectedPlaces, protectedPath } from '../protected-paths.ts';
import { destructiveCommand } from './destructive.ts';
import { programOf, type ReadableShell, type ShellWord } from './shell-types.ts';
import { NOWHERE } from './shell-writes.ts';

const DESTROYERS = /^(?:rm|find|chmod|chown|chgrp|dd|shred|tee|cp|mv|wipefs|mkswap|mkfs(?:\..*)?)$/;
const TO_DEVICE = />\s*["']?\/dev\/(?!null\b|stdout\b|stderr\b|tty\b|fd\/)/;

/** Whether a line may run what its commands do not show. What cannot be rewritten, only the grammar has read. */
export function hidesCommands({ commands, concerns, written }: ReadableShell): boolean {
  return concerns.length > 0 || written === undefined || commands.some((each) => HIDING.has(programOf(each) ?? ''));
}

/** To `xargs` the files come from elsewhere, often from words of the same line, and `eval` runs what its words add up to. */
const HIDING: ReadonlySet<string> = new Set(['xargs', 'eval']);

/** For text whose commands are not all known: any word of it that names a protected file. */
export function protectedInText(command: string, places: ProtectedPlaces): string | undefined {
  // Quotes may end a word or stand inside one, and a value may stand behind a name: `${x:-.git}`.
  const words = [command, command.replace(/\$?["']|\\\n?/g, '')].flatMap((text) =>
    text.split(/[\s'"`;|&<>()={},]+|:[-=+?]/),
  );
  const found = words.find((word) => word !== '' && !NOWHERE.test(word) && protectedPath(word, places));
  return found === undefined ? undefined : l10n.t('{0}, which is protected', found);
}

/** The same for what destroys a disk, a home or the workspace. */
export function destructionInText(command: string, places: ProtectedPlaces): string | undefined {
  if (TO_DEVICE.test(command)) return l10n.t('writing to a device');
  for (const piece of command.split(/[;|&\n`()]+/)) {
    const words = piece
      .split(/[\s'"]+/)
      .filter((text) => text !== '' && text !== '--')
      .map((text): ShellWord => ({ value: text, source: text, beginning: text }));
    const tried = new Set<string>();
    for (const [index, word] of words.entries()) {
      const name = programOf({ words: [word] }) ?? '';
      // The arguments of a later one are among those of the first.
      if (!DESTROYERS.test(name) || tried.has(name)) continue;
      tried.add(name);
      const text = piece.trim();
      const found = destructiveCommand({ text, words: words.slice(index), writes: [], redirects: false }, places);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

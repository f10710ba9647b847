import { join, sep } from 'node:path';
import { onceEach } from '../../base/once.ts';
import { commandName } from '../../commands/read-command.ts';
import type { Span } from '../../text/text-range.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { NameUse } from '../names.ts';
import { commandOf, entryOf } from './command-document.ts';

/** The folder of commands that a file is in, and the file's path from there. */
function placeOf(path: string): { readonly top: string; readonly inside: string } | undefined {
  const parts = path.split(sep);
  const gemini = parts.lastIndexOf('.gemini');
  const at = gemini === -1 ? -1 : parts.indexOf('commands', gemini);
  return at === -1 ? undefined : { top: parts.slice(0, at + 1).join(sep), inside: parts.slice(at + 1).join(sep) };
}

/** The path of the command's file after the command got another name. */
export function commandPath(path: string, newName: string): string {
  const top = placeOf(path)?.top ?? '';
  return join(top, ...`${newName}.toml`.split(':'));
}

/** The command that a file defines, and those that its prompt names. */
export const commandNames = onceEach((file: ConfigDocument): readonly NameUse[] => {
  const { entries, prompt } = commandOf(file);
  const place = placeOf(file.path);
  // The name is nowhere in the file, so people rename it where its text begins.
  const [key] = entryOf(entries, 'prompt')?.names ?? [];
  const own: readonly NameUse[] =
    place && key ? [{ kind: 'command', name: commandName(place.inside), isDefinition: true, ...spanOf(key) }] : [];
  return [...own, ...(prompt ? mentionedCommands(file.text, prompt) : [])];
});

/** What looks like a command in a text: `/git:commit`. */
export function mentionedCommands(text: string, { start, end }: Span): readonly NameUse[] {
  return [...text.slice(start, end).matchAll(/(?<![\w/:.@~-])\/([A-Za-z0-9_][\w.:-]*[\w-])(?![\w/])/g)].map(
    ({ index, 1: name = '' }): NameUse => {
      const at = start + index + 1;
      return { kind: 'command', name, start: at, end: at + name.length };
    },
  );
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

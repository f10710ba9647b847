import { join, sep } from 'node:path';
import { onceEach } from '../../base/once.ts';
import { commandName } from '../../commands/read-command.ts';
import type { Span } from '../../text/text-range.ts';
import { entryOf } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';
import type { NameUse } from '../names.ts';
import { commandDocument } from './command-document.ts';

/** The folder of commands that a file is in, and the file's path from there. */
interface CommandPlace {
  readonly top: string;
  readonly inside: string;
}

function placeOf(path: string): CommandPlace | undefined {
  const parts = path.split(sep);
  const gemini = parts.lastIndexOf('.gemini');
  const at = gemini === -1 ? -1 : parts.indexOf('commands', gemini);
  return at === -1 ? undefined : { top: parts.slice(0, at + 1).join(sep), inside: parts.slice(at + 1).join(sep) };
}

/** The command that a file defines, and those that its prompt names. */
export const commandNames = onceEach((file: ConfigDocument): readonly NameUse[] => {
  const { entries, prompt } = commandDocument(file);
  const place = placeOf(file.path);
  // The name is nowhere in the file, so people rename it where its text begins.
  const [key] = entryOf({ entries }, 'prompt')?.names ?? [];
  const own = place && key ? [definition(place, key)] : [];
  return [...own, ...(prompt ? mentionedCommands(file.text, prompt) : [])];
});

function definition({ top, inside }: CommandPlace, { start, end }: Span): NameUse {
  const moved = (newName: string): string => join(top, ...`${newName}.toml`.split(':'));
  return { kind: 'command', name: commandName(inside), isDefinition: true, moved, start, end };
}

/** What looks like a command in a text: `/git:commit`. */
export function mentionedCommands(text: string, { start, end }: Span): readonly NameUse[] {
  return [...text.slice(start, end).matchAll(/(?<![\w/:.@~-])\/([A-Za-z0-9_][\w.:-]*[\w-])(?![\w/])/g)].map(
    ({ index, 1: name = '' }): NameUse => {
      const at = start + index + 1;
      return { kind: 'command', name, start: at, end: at + name.length };
    },
  );
}

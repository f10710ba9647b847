import * as l10n from '@vscode/l10n';
import { type CodeAction, CodeActionKind, type Range, type TextEdit } from 'vscode-languageserver-types';
import { namesLike } from '../../text/nearest-names.ts';
import type { Span } from '../../text/text-range.ts';
import type { TomlEntry } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';
import { commandOf, entryOf } from './command-document.ts';
import { COMMAND_KEYS } from './command-problems.ts';

/** What repairs the problems at a place. */
export function commandActions(file: ConfigDocument, range: Range): readonly CodeAction[] {
  const start = file.offsetAt(range.start);
  const end = file.offsetAt(range.end);
  const isHere = (span: Span): boolean => span.start <= end && start <= span.end;
  return [...unknownKeys(file, isHere), ...missing(file), ...quotedArgs(file, isHere)];
}

function unknownKeys(file: ConfigDocument, isHere: (span: Span) => boolean): readonly CodeAction[] {
  const { entries } = commandOf(file);
  return entries.flatMap((entry): CodeAction[] => {
    const [name] = entry.names;
    if (!name || COMMAND_KEYS.includes(name.text) || !isHere(name)) return [];
    const free = COMMAND_KEYS.filter((key) => !entryOf(entries, key));
    const like = namesLike(name.text, free, 1);
    return [
      ...like.map((key) => action(file, l10n.t('Change to "{0}"', key), replaced(file, name, key))),
      action(file, l10n.t('Remove "{0}"', name.text), removed(file, entry)),
    ];
  });
}

function missing(file: ConfigDocument): readonly CodeAction[] {
  const { entries } = commandOf(file);
  const [first] = entries;
  const at = first ? file.text.lastIndexOf('\n', first.start - 1) + 1 : 0;
  const lines: Readonly<Record<string, string>> = {
    description: `description = ${JSON.stringify(l10n.t('What the command does'))}\n`,
    prompt: `prompt = """\n${l10n.t('What the model should do')}: {{args}}\n"""\n`,
  };
  return COMMAND_KEYS.filter((key) => !entryOf(entries, key)).map((key) =>
    action(file, l10n.t('Add "{0}"', key), replaced(file, { start: at, end: at }, lines[key] ?? '')),
  );
}

/** The arguments have quotes of their own, so those around them go. */
function quotedArgs(file: ConfigDocument, isHere: (span: Span) => boolean): readonly CodeAction[] {
  const faults = commandOf(file).parts.filter((part) => 'problem' in part && part.problem === 'quoted-args');
  return faults.filter(isHere).flatMap(({ start, end }): CodeAction[] => {
    const around = /(\\?["'])$/.exec(file.text.slice(Math.max(0, start - 2), start))?.[1];
    if (around === undefined || !file.text.startsWith(around, end)) return [];
    const span = { start: start - around.length, end: end + around.length };
    return [action(file, l10n.t('Remove the quotes'), replaced(file, span, file.text.slice(start, end)))];
  });
}

function removed(file: ConfigDocument, { start, end }: TomlEntry): TextEdit {
  const { text } = file;
  const begins = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  return replaced(file, { start: begins, end: next === -1 ? text.length : next + 1 }, '');
}

function replaced(file: ConfigDocument, span: Span, newText: string): TextEdit {
  return { range: file.rangeOf(span), newText };
}

function action({ uri }: ConfigDocument, title: string, edit: TextEdit): CodeAction {
  return { title, kind: CodeActionKind.QuickFix, edit: { changes: { [uri]: [edit] } } };
}

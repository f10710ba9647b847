import * as l10n from '@vscode/l10n';
import type { CodeAction, Range, TextEdit } from 'vscode-languageserver-types';
import type { CommandProblem } from '../../commands/custom-command.ts';
import { namesLike } from '../../text/nearest-names.ts';
import type { Span } from '../../text/text-range.ts';
import { entryOf, type TomlEntry } from '../../text/toml-syntax.ts';
import type { ConfigDocument } from '../config-document.ts';
import { quickFix } from '../diagnostics.ts';
import { commandDocument } from './command-document.ts';
import { COMMAND_KEYS, commandIn } from './command-problems.ts';

/** What repairs the problems at a place. */
export function commandActions(file: ConfigDocument, range: Range): readonly CodeAction[] {
  const start = file.offsetAt(range.start);
  const end = file.offsetAt(range.end);
  const isHere = (span: Span): boolean => span.start <= end && start <= span.end;
  return [...unknownKeys(file, isHere), ...missing(file), ...quotedArgs(file, isHere)];
}

/** More is no choice any longer. */
const MAX_REPAIRED = 20;

function unknownKeys(file: ConfigDocument, isHere: (span: Span) => boolean): readonly CodeAction[] {
  const { entries } = commandDocument(file);
  const unknown = entries.filter(({ names: [name] }) => name && !COMMAND_KEYS.includes(name.text) && isHere(name));
  return unknown.slice(0, MAX_REPAIRED).flatMap((entry): CodeAction[] => {
    const [name] = entry.names;
    if (!name) return [];
    const free = COMMAND_KEYS.filter((key) => !entryOf({ entries }, key));
    const like = namesLike(name.text, free, 1);
    return [
      ...like.flatMap((key) => quickFix(file, l10n.t('Change to "{0}"', key), replaced(file, name, key))),
      ...quickFix(file, l10n.t('Remove "{0}"', name.text), removed(file, entry)),
    ];
  });
}

function missing(file: ConfigDocument): readonly CodeAction[] {
  const { entries } = commandDocument(file);
  const [first] = entries;
  const at = first ? file.text.lastIndexOf('\n', first.start - 1) + 1 : 0;
  const lines: Readonly<Record<string, string>> = {
    description: `description = ${JSON.stringify(l10n.t('What the command does'))}\n`,
    prompt: `prompt = """\n${l10n.t('What the model should do')}: {{args}}\n"""\n`,
  };
  return COMMAND_KEYS.filter((key) => !entryOf({ entries }, key)).flatMap((key) => {
    const edit = replaced(file, { start: at, end: at }, lines[key] ?? '');
    return quickFix(file, l10n.t('Add "{0}"', key), edit, key === 'prompt' ? problemOf(file) : undefined);
  });
}

/** The arguments have quotes of their own, so those around them go. */
function quotedArgs(file: ConfigDocument, isHere: (span: Span) => boolean): readonly CodeAction[] {
  const faults = commandDocument(file).parts.filter((part) => 'problem' in part && part.problem === 'quoted-args');
  return faults.filter(isHere).flatMap(({ start, end }): readonly CodeAction[] => {
    const around = /(\\?["'])$/.exec(file.text.slice(Math.max(0, start - 2), start))?.[1];
    if (around === undefined || !file.text.startsWith(around, end)) return [];
    const span = { start: start - around.length, end: end + around.length };
    const edit = replaced(file, span, file.text.slice(start, end));
    return quickFix(file, l10n.t('Remove the quotes'), edit, problemOf(file));
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

function problemOf(file: ConfigDocument): CommandProblem | undefined {
  const read = commandIn(file);
  return 'problem' in read ? read.problem : undefined;
}

import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Diagnostic } from 'vscode-languageserver-types';
import { onceEach } from '../../base/once.ts';
import type { CommandProblem, CustomCommand } from '../../commands/custom-command.ts';
import { type CommandOrProblem, readOpenCommand } from '../../commands/read-command.ts';
import { namesLike } from '../../text/nearest-names.ts';
import { firstLine, LineIndex, type Span, type TextRange } from '../../text/text-range.ts';
import { entryOf } from '../../text/toml-syntax.ts';
import { configCatalogs } from '../config-catalogs.ts';
import type { ConfigDocument } from '../config-document.ts';
import { type ReadProblem, toDiagnostic } from '../diagnostics.ts';
import type { Workspace } from '../workspace.ts';
import { commandDocument, marksOf, type PlacedMark } from './command-document.ts';
import { commandRules } from './command-rules.ts';
import { injectedPath } from './injected-paths.ts';

export const COMMAND_KEYS: readonly string[] = ['prompt', 'description'];

/** The command in a document, read alone. */
export const commandIn = onceEach(({ text, path }: ConfigDocument): CommandOrProblem => {
  return readOpenCommand(text, { file: path, relativePath: basename(path), source: 'project' });
});

export async function commandProblems(file: ConfigDocument, workspace: Workspace): Promise<readonly Diagnostic[]> {
  const library = await configCatalogs(workspace)?.commandLibrary();
  const alone = commandIn(file);
  const known = library?.problems.filter((problem) => problem.file === file.path) ?? [];
  const read: readonly CommandProblem[] = known.length > 0 ? known : 'problem' in alone ? [alone.problem] : [];
  const more: ReadProblem[] = [];
  if (read.length === 0) {
    const own = library?.list.find((command) => command.file === file.path);
    more.push(...missingDescription(file, alone), ...(own && library ? hidden(file, own, library.find(own.name)) : []));
  }
  const marks = workspace.isTrusted ? await problemsOfMarks(file, workspace) : [];
  return [...read, ...more, ...ignoredKeys(file), ...marks].map(toDiagnostic);
}

function missingDescription(file: ConfigDocument, alone: CommandOrProblem): readonly ReadProblem[] {
  if ('problem' in alone || entryOf(commandDocument(file), 'description')) return [];
  const text = l10n.t('Without a description, lists show "{0}".', alone.command.description);
  const entry = entryOf(commandDocument(file), 'prompt');
  const range = entry?.names[0] ? rangeIn(file, entry.names[0]) : firstLine(file.text);
  return [{ text, kind: 'no-description', severity: 'hint', range }];
}

/** Another command has the same name, and comes first. */
function hidden(file: ConfigDocument, own: CustomCommand, used: CustomCommand | undefined): readonly ReadProblem[] {
  if (!used || used.file === own.file) return [];
  const text = l10n.t('/{0} is also defined in {1}. That command is used.', own.name, used.file);
  const other = { file: used.file, range: { line: 1, column: 1, endLine: 1, endColumn: 1 } };
  return [{ text, kind: 'same-name', range: firstLine(file.text), other }];
}

/** A command has none. */
const MAX_TABLES = 100;

/** The reader ignores all other keys without a word. */
function ignoredKeys(file: ConfigDocument): readonly ReadProblem[] {
  const { blocks, entries } = commandDocument(file);
  const headers = blocks.slice(0, MAX_TABLES).flatMap(({ header }) => header?.names[0] ?? []);
  const names = [...entries.flatMap(({ names: [name] }) => name ?? []), ...headers];
  return names
    .filter(({ text }) => !COMMAND_KEYS.includes(text))
    .map((name) => {
      const [like] = namesLike(name.text, COMMAND_KEYS, 1);
      const text =
        like === undefined
          ? l10n.t('The key "{0}" has no effect here.', name.text)
          : l10n.t('The key "{0}" has no effect here. Did you mean "{1}"?', name.text, like);
      return { text, kind: 'ignored-key', severity: 'warning', range: rangeIn(file, name) };
    });
}

/** Each of them takes file system calls or the grammar of the shell. */
const MAX_CHECKED = 50;

async function problemsOfMarks(file: ConfigDocument, workspace: Workspace): Promise<readonly ReadProblem[]> {
  const marks = marksOf(file).slice(0, MAX_CHECKED);
  const found = await Promise.all(marks.map((mark) => problemOfMark(mark, workspace)));
  return found.flatMap((problem, at) => {
    const mark = marks[at];
    return problem && mark ? [{ ...problem, range: rangeIn(file, mark) }] : [];
  });
}

async function problemOfMark(mark: PlacedMark, workspace: Workspace): Promise<ReadProblem | undefined> {
  if (mark.kind === 'file') {
    // Nobody knows where arguments will lead.
    const found = mark.hasArgs ? undefined : await injectedPath(mark.text, workspace);
    return found && 'problem' in found ? { text: found.problem, kind: 'not-injected', severity: 'warning' } : undefined;
  }
  const verdict = await commandRules(workspace)?.(mark.text);
  if (!verdict || verdict.decision === 'allow') return undefined;
  const { decision, why, shown = why } = verdict;
  const severity = decision === 'deny' ? 'warning' : 'information';
  return { text: shown, kind: decision === 'deny' ? 'command-refused' : 'command-asks', severity };
}

export function rangeIn(file: ConfigDocument, span: Span): TextRange {
  return linesOf(file).rangeOf(span);
}

const linesOf = onceEach(({ text }: ConfigDocument) => new LineIndex(text));

import * as l10n from '@vscode/l10n';
import {
  type DocumentLink,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type Location,
  MarkupKind,
  SymbolKind,
} from 'vscode-languageserver-types';
import type { ConfigDocument } from '../config-document.ts';
import { foldsOf } from '../front-matter/matter-outline.ts';
import type { LanguageSupport } from '../language.ts';
import type { SemanticToken } from '../semantic-tokens.ts';
import type { Workspace } from '../workspace.ts';
import { commandActions } from './command-actions.ts';
import { commandCompletions, keyTexts } from './command-completion.ts';
import { commandDocument, marksOf, type PlacedMark } from './command-document.ts';
import { commandNames } from './command-names.ts';
import { commandProblems } from './command-problems.ts';
import { commandRules } from './command-rules.ts';
import { injectedPath } from './injected-paths.ts';

/** Custom commands: `commands/*.toml`. */
export const commandLanguage: LanguageSupport = {
  problems: commandProblems,
  completions: commandCompletions,
  hover,
  definitions,
  names: commandNames,
  actions: commandActions,
  links,
  outline,
  folding: (file) => [...foldsOf(outline(file)), ...foldedLists(file)],
  tokens,
};

async function hover(file: ConfigDocument, offset: number, workspace: Workspace): Promise<Hover | undefined> {
  const found = (value: string, span: { start: number; end: number }): Hover => {
    return { contents: { kind: MarkupKind.Markdown, value }, range: file.rangeOf(span) };
  };
  const { entries, parts } = commandDocument(file);
  const key = entries.flatMap(({ names }) => names).find(({ start, end }) => start <= offset && offset <= end);
  const text = key && keyTexts()[key.text];
  if (key && text !== undefined) return found(text, key);
  const mark = markAt(file, offset);
  if (mark) {
    const about = mark.kind === 'file' ? await aboutFile(mark, workspace) : await aboutCommand(mark, workspace);
    return about === undefined ? undefined : found(about, mark);
  }
  const args = parts.find((placed) => 'part' in placed && placed.part.kind === 'args' && isAt(placed, offset));
  return args && found(l10n.t('The text after the command, as the user typed it.'), args);
}

async function aboutFile({ text, hasArgs }: PlacedMark, workspace: Workspace): Promise<string | undefined> {
  if (hasArgs) return l10n.t('The content of the file or folder that the arguments lead to.');
  if (!workspace.isTrusted) return l10n.t('The content of this file or folder.');
  const found = await injectedPath(text, workspace);
  if ('problem' in found) return l10n.t('This is not inserted: {0}', found.problem);
  if (found.isFolder) return l10n.t('The content of all files in this folder that the agent may read.');
  return l10n.t('The content of this file, {0} bytes.', found.size.toLocaleString('en'));
}

async function aboutCommand({ text, hasArgs }: PlacedMark, workspace: Workspace): Promise<string> {
  const what = hasArgs
    ? l10n.t('The output of this command. The arguments are one quoted word.')
    : l10n.t('The output of this command.');
  const verdict = await commandRules(workspace)?.(text);
  if (!verdict) return what;
  const { decision, why, shown = why } = verdict;
  const ruled = {
    allow: l10n.t('The rules allow it: {0}', why),
    ask_user: l10n.t('It requires approval: {0}', why),
    deny: l10n.t('The rules refuse it: {0}', shown),
  }[decision];
  return `${what}\n\n${ruled}`;
}

function markAt(file: ConfigDocument, offset: number): PlacedMark | undefined {
  return marksOf(file).find((mark) => isAt(mark, offset));
}

function isAt({ start, end }: { readonly start: number; readonly end: number }, offset: number): boolean {
  return start <= offset && offset <= end;
}

async function definitions(file: ConfigDocument, offset: number, workspace: Workspace): Promise<readonly Location[]> {
  const mark = markAt(file, offset);
  const path = mark?.kind === 'file' ? await fileOf(mark, workspace) : undefined;
  const start = { line: 0, character: 0 };
  return path === undefined ? [] : [{ uri: workspace.uriOf(path), range: { start, end: start } }];
}

async function fileOf({ text, hasArgs }: PlacedMark, workspace: Workspace): Promise<string | undefined> {
  if (hasArgs || !workspace.isTrusted) return undefined;
  const found = await injectedPath(text, workspace);
  return 'path' in found && !found.isFolder ? found.path : undefined;
}

/** Each of them takes file system calls. */
const MAX_LINKS = 100;

async function links(file: ConfigDocument, workspace: Workspace): Promise<readonly DocumentLink[]> {
  const marks = marksOf(file).filter(({ kind }) => kind === 'file');
  const found = await Promise.all(
    marks.slice(0, MAX_LINKS).map(async (mark): Promise<DocumentLink[]> => {
      const path = await fileOf(mark, workspace);
      const range = file.rangeOf({ start: mark.start + 2, end: mark.end - 1 });
      return path === undefined ? [] : [{ range, target: workspace.uriOf(path) }];
    }),
  );
  return found.flat();
}

function outline(file: ConfigDocument): readonly DocumentSymbol[] {
  const marks = marksOf(file).map((mark): DocumentSymbol => {
    const range = file.rangeOf(mark);
    const name = file.text.slice(mark.start, mark.end).replace(/\s+/g, ' ');
    return { name, kind: mark.kind === 'file' ? SymbolKind.File : SymbolKind.Function, range, selectionRange: range };
  });
  return commandDocument(file).entries.flatMap((entry): DocumentSymbol[] => {
    const [name] = entry.names;
    if (!name) return [];
    const children = name.text === 'prompt' ? [...marks] : [];
    const [range, selectionRange] = [file.rangeOf(entry), file.rangeOf(name)];
    return [{ name: name.text || '""', kind: SymbolKind.String, range, selectionRange, children }];
  });
}

/** Comments of several lines. */
function foldedLists(file: ConfigDocument): readonly FoldingRange[] {
  const comments = commandDocument(file).blocks.flatMap((block) =>
    block.comments.map((span) => file.rangeOf(span).start.line),
  );
  const groups: { start: number; end: number }[] = [];
  for (const line of comments) {
    const last = groups.at(-1);
    if (last && last.end === line - 1) last.end = line;
    else groups.push({ start: line, end: line });
  }
  return groups
    .filter(({ start, end }) => end > start)
    .map(({ start, end }) => ({ startLine: start, endLine: end, kind: 'comment' }));
}

/** The marks in a prompt, which look like any other text of a string otherwise. */
function tokens(file: ConfigDocument): readonly SemanticToken[] {
  const { parts } = commandDocument(file);
  return parts.flatMap((placed): SemanticToken[] => {
    if ('problem' in placed || placed.part.kind === 'text') return [];
    const { start, end, part } = placed;
    if (part.kind === 'args') return [{ type: 'keyword', start, end }];
    return [{ type: part.kind === 'file' ? 'namespace' : 'function', start, end }];
  });
}

import { dirname, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import {
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  type DocumentLink,
  type Hover,
  type Location,
  MarkupKind,
} from 'vscode-languageserver-types';
import { memoryProblemText } from '../../context/memory/loaded-memory.ts';
import { textTokens } from '../../context/tokens/text-tokens.ts';
import { readBeginning } from '../../files/read-beginning.ts';
import { firstLine } from '../../text/text-range.ts';
import { mentionedCommands } from '../commands/command-names.ts';
import { pathsBeside } from '../commands/injected-paths.ts';
import type { ConfigDocument } from '../config-document.ts';
import { type ReadProblem, toDiagnostic } from '../diagnostics.ts';
import { foldsOf, headingSymbols } from '../front-matter/matter-outline.ts';
import type { LanguageSupport } from '../language.ts';
import type { Workspace } from '../workspace.ts';
import { memoryHints } from './memory-hints.ts';
import { aboutTokens, type Import, importsIn, knownMemory, MAX_BYTES } from './memory-state.ts';

/** Files with instructions: `GEMINI.md`, `AGENTS.md`. */
export const memoryLanguage: LanguageSupport = {
  problems,
  completions,
  hover,
  definitions,
  links,
  names: (file) => mentionedCommands(file.text.slice(0, MAX_BYTES), { start: 0, end: MAX_BYTES }),
  hints: memoryHints,
  outline: headingSymbols,
  folding: (file) => foldsOf(headingSymbols(file)),
};

async function problems(file: ConfigDocument, workspace: Workspace): Promise<readonly Diagnostic[]> {
  const known = await knownMemory(file, workspace);
  if (!known) return Buffer.byteLength(file.text) > MAX_BYTES ? [toDiagnostic(cut(file))] : [];
  const { problems: found, paths } = known;
  const here = found.flatMap((problem): ReadProblem[] => {
    const { reason, path = '', range } = problem;
    const isHere = paths.includes(problem.file);
    return isHere ? [{ text: memoryProblemText(reason, path), kind: reason, severity: 'warning', range }] : [];
  });
  // Nobody sees the problems of an imported file unless they are shown where it is imported.
  const inside = (known.own?.problems ?? []).flatMap((problem): ReadProblem[] => {
    const { reason, path = '', range, file: place, line } = problem;
    if (paths.includes(place)) return [];
    const through = importsIn(file).find(({ target }) => target === place);
    const text = `${workspace.labelOf(place)}:${line}: ${memoryProblemText(reason, path)}`;
    const shown = through ? through.range : firstLine(file.text);
    return [
      {
        text,
        kind: reason,
        severity: 'warning',
        range: shown,
        other: { file: place, range },
        otherText: l10n.t('The import is here.'),
      },
    ];
  });
  return [...here, ...inside].map(toDiagnostic);
}

function cut(file: ConfigDocument): ReadProblem {
  return { text: memoryProblemText('cut', ''), kind: 'cut', severity: 'warning', range: firstLine(file.text) };
}

async function completions(
  file: ConfigDocument,
  offset: number,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  const line = file.text.slice(file.text.lastIndexOf('\n', offset - 1) + 1, offset);
  const [, path] = /(?:^|[ \t])@([^ \t]*)$/.exec(line) ?? [];
  if (path === undefined || !workspace.isTrusted) return [];
  const found = await pathsBeside(`${dirname(file.path)}/${path}`, workspace);
  const start = offset - path.length + path.lastIndexOf('/') + 1;
  const rest = /^[^ \t\r\n/]*/.exec(file.text.slice(offset))?.[0].length ?? 0;
  const range = file.rangeOf({ start, end: offset + rest });
  return found
    .filter(({ name }) => !/\s/.test(name) && resolve(dirname(file.path), name) !== file.path)
    .map(({ name, isFolder }): CompletionItem => {
      const label = isFolder ? `${name}/` : name;
      const kind = isFolder ? CompletionItemKind.Folder : CompletionItemKind.File;
      // Instructions are in Markdown.
      const rank = name.endsWith('.md') ? 0 : isFolder ? 1 : 2;
      return { label, kind, sortText: `${rank}${name}`, textEdit: { range, newText: label } };
    });
}

function importAt(file: ConfigDocument, offset: number): Import | undefined {
  return importsIn(file).find(({ start, end }) => start <= offset && offset <= end);
}

async function hover(file: ConfigDocument, offset: number, workspace: Workspace): Promise<Hover | undefined> {
  const found = importAt(file, offset);
  const known = found && (await knownMemory(file, workspace));
  if (!found || !known) return undefined;
  const value = await aboutImport(found, known.reached, workspace);
  return value === undefined
    ? undefined
    : { contents: { kind: MarkupKind.Markdown, value }, range: file.rangeOf(found) };
}

async function aboutImport(
  { target }: Import,
  reached: ReadonlySet<string>,
  { open }: Workspace,
): Promise<string | undefined> {
  if (!reached.has(target)) return undefined;
  const read = await readBeginning(target, MAX_BYTES, () => true, open);
  return 'text' in read
    ? l10n.t('Replaced by the text of this file, {0}.', aboutTokens(textTokens(read.text)))
    : undefined;
}

async function definitions(file: ConfigDocument, offset: number, workspace: Workspace): Promise<readonly Location[]> {
  const found = importAt(file, offset);
  const [link] = found ? await linksOf(file, [found], workspace) : [];
  const start = { line: 0, character: 0 };
  return link?.target === undefined ? [] : [{ uri: link.target, range: { start, end: start } }];
}

function links(file: ConfigDocument, workspace: Workspace): Promise<readonly DocumentLink[]> {
  return linksOf(file, importsIn(file), workspace);
}

/** In Restricted Mode, nobody knows which files are there. */
async function linksOf(
  file: ConfigDocument,
  imports: readonly Import[],
  workspace: Workspace,
): Promise<readonly DocumentLink[]> {
  const known = await knownMemory(file, workspace);
  return imports
    .filter(({ path, target }) => (known ? known.reached.has(target) : /[./\\]/.test(path)))
    .map((found): DocumentLink => {
      const range = file.rangeOf({ start: found.start + 1, end: found.end });
      return { range, target: workspace.uriOf(found.target) };
    });
}

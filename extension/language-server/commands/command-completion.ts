import * as l10n from '@vscode/l10n';
import { type CompletionItem, CompletionItemKind, InsertTextFormat, MarkupKind } from 'vscode-languageserver-types';
import type { ConfigDocument } from '../config-document.ts';
import type { Workspace } from '../workspace.ts';
import { commandDocument } from './command-document.ts';
import { COMMAND_KEYS } from './command-problems.ts';
import { pathsBeside } from './injected-paths.ts';

export function keyTexts(): Readonly<Record<string, string>> {
  return {
    prompt: l10n.t(
      'The text that is sent to the model. `{{args}}` is replaced with the text after the command, `@{path}` with a file or folder, and `!{command}` with the output of a shell command.',
    ),
    description: l10n.t('One line about the command, for lists.'),
  };
}

/** Proposes keys, paths in `@{…}`, and marks in the prompt. */
export async function commandCompletions(
  file: ConfigDocument,
  offset: number,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  const { prompt } = commandDocument(file);
  const line = file.text.slice(file.text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (!prompt || offset < prompt.start || offset > prompt.end) return keyItems(file, offset, line, workspace);
  const [, path] = /@\{[ \t]*([^{}\s]*)$/.exec(line) ?? [];
  if (path !== undefined) return pathItems(file, offset, path, workspace);
  return markItems(file, offset, line, workspace);
}

function keyItems(
  file: ConfigDocument,
  offset: number,
  line: string,
  { options }: Workspace,
): readonly CompletionItem[] {
  const [word] = /^[\w-]*$/.exec(line.trimStart()) ?? [];
  const { blocks, entries } = commandDocument(file);
  const isInTable = blocks.some(({ header }) => header !== undefined && header.start < offset);
  if (word === undefined || isInTable) return [];
  const rest = /^[\w-]*/.exec(file.text.slice(offset))?.[0].length ?? 0;
  const range = file.rangeOf({ start: offset - word.length, end: offset + rest });
  const written = entries.flatMap(({ names: [name] }) =>
    name && name.start !== offset - word.length ? name.text : [],
  );
  const { snippets } = options.can;
  return COMMAND_KEYS.filter((key) => !written.includes(key)).map((label, index): CompletionItem => {
    const value = label === 'prompt' ? '"""\n$0\n"""' : '"$0"';
    return {
      label,
      kind: CompletionItemKind.Property,
      documentation: { kind: MarkupKind.Markdown, value: keyTexts()[label] ?? '' },
      sortText: String(index),
      textEdit: { range, newText: `${label} = ${snippets ? value : ''}` },
      ...(snippets && { insertTextFormat: InsertTextFormat.Snippet }),
    };
  });
}

async function pathItems(
  file: ConfigDocument,
  offset: number,
  path: string,
  workspace: Workspace,
): Promise<readonly CompletionItem[]> {
  if (!workspace.isTrusted) return [];
  const found = await pathsBeside(path, workspace);
  const start = offset - path.length + path.lastIndexOf('/') + 1;
  const rest = /^[^{}\s/]*/.exec(file.text.slice(offset))?.[0].length ?? 0;
  const range = file.rangeOf({ start, end: offset + rest });
  return found
    .filter(({ name }) => !/[{}\s"\\]/.test(name))
    .map(({ name, isFolder }): CompletionItem => {
      const label = isFolder ? `${name}/` : name;
      const kind = isFolder ? CompletionItemKind.Folder : CompletionItemKind.File;
      return { label, kind, sortText: `${isFolder ? 1 : 0}${name}`, textEdit: { range, newText: label } };
    });
}

function markItems(
  file: ConfigDocument,
  offset: number,
  line: string,
  { options }: Workspace,
): readonly CompletionItem[] {
  const [begun = ''] = /(?:\{\{?[a-z]*|[@!]\{?)$/.exec(line) ?? [];
  // In the middle of a sentence, nobody wants a list.
  if (begun === '') return [];
  // Editors close braces on their own.
  const closed = /^\}{0,2}/.exec(file.text.slice(offset))?.[0].length ?? 0;
  const range = file.rangeOf({ start: offset - begun.length, end: offset + closed });
  const { snippets } = options.can;
  const marks: readonly (readonly [label: string, snippet: string, about: string])[] = [
    ['{{args}}', '{{args}}', l10n.t('The text after the command')],
    ['@{…}', '@{$1}', l10n.t('A file or folder')],
    ['!{…}', '!{$1}', l10n.t('The output of a shell command')],
  ];
  return marks
    .filter(([label]) => label.startsWith(begun[0] ?? ''))
    .map(([label, snippet, detail]): CompletionItem => {
      const isSnippet = snippets && snippet.includes('$1');
      return {
        label,
        kind: CompletionItemKind.Snippet,
        detail,
        filterText: snippet.replace('$1', ''),
        textEdit: { range, newText: isSnippet ? snippet.replace('}', '\\}') : snippet.replace('$1', '') },
        ...(isSnippet && { insertTextFormat: InsertTextFormat.Snippet }),
      };
    });
}

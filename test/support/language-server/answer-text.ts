import {
  CodeAction,
  CodeActionRequest,
  CodeLensRequest,
  type CompletionItem,
  CompletionRequest,
  DefinitionRequest,
  type Diagnostic,
  DocumentFormattingRequest,
  DocumentLinkRequest,
  type DocumentSymbol,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  InlayHintRequest,
  type Location,
  type LocationLink,
  type Position,
  PrepareRenameRequest,
  type Range,
  ReferencesRequest,
  RenameRequest,
  ResponseError,
  SemanticTokensRequest,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { AskedClient } from './lsp-client.ts';

export interface Asked {
  readonly request: string;
  readonly uri: string;
  readonly position: Position;
  /** The text of the document. */
  readonly text: string;
}

/** The server's answer as a text for people, with the parts of the document that it is about. */
export async function answerText(client: AskedClient, asked: Asked): Promise<string> {
  const write = WRITERS[asked.request];
  if (!write) throw new Error(`unknown request: ${asked.request}`);
  return write(client, asked);
}

type Writer = (client: AskedClient, asked: Asked) => Promise<string>;

const WRITERS: Readonly<Record<string, Writer>> = {
  problems: async (client, { uri, text }) =>
    (await client.problems(uri)).map((problem) => problemText(problem, text)).join('\n'),
  // For the problems at the cursor.
  fixes: async (client, { uri, position, text }) => {
    const { connection } = client;
    const context = { diagnostics: [...(await client.problems(uri))] };
    const range = { start: position, end: position };
    const found = await connection.sendRequest(CodeActionRequest.type, { textDocument: { uri }, range, context });
    const actions = (found ?? []).flatMap((one) => (CodeAction.is(one) ? [one] : []));
    return actions.map((action) => fixText(action, uri, text)).join('\n') || 'none';
  },
  completion: async ({ connection }, { uri, position, text }) => {
    const found = await connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    const items = Array.isArray(found) ? found : (found?.items ?? []);
    const sorted = [...items].sort((one, other) =>
      (one.sortText ?? one.label) < (other.sortText ?? other.label) ? -1 : 1,
    );
    return sorted.map((item) => completionText(item, text)).join('\n') || 'none';
  },
  hover: async ({ connection }, { uri, position, text }) => {
    const found = await connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
    if (!found) return 'none';
    const said = typeof found.contents === 'object' && 'value' in found.contents ? found.contents.value : '?';
    return `${found.range ? partOf(text, found.range) : ''}\n\n${said}`;
  },
  links: async ({ connection }, { uri, text }) => {
    const found = await connection.sendRequest(DocumentLinkRequest.type, { textDocument: { uri } });
    return (found ?? []).map(({ range, target }) => `${partOf(text, range)} → ${target}`).join('\n') || 'none';
  },
  lenses: async ({ connection }, { uri }) => {
    const found = await connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } });
    const lenses = (found ?? []).map(({ range, command }) => {
      return `${place(range)} ${command?.title} ${JSON.stringify([command?.command, ...(command?.arguments ?? [])])}`;
    });
    return lenses.join('\n') || 'none';
  },
  outline: async ({ connection }, { uri, text }) => {
    const found = await connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
    return (found ?? []).map((symbol) => ('range' in symbol ? symbolText(symbol, text) : symbol.name)).join('\n');
  },
  folding: async ({ connection }, { uri }) => {
    const found = await connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri } });
    return (found ?? [])
      .map(({ startLine, endLine, kind = '' }) => `${startLine + 1}-${endLine + 1} ${kind}`.trim())
      .join('\n');
  },
  format: async ({ connection }, { uri, text }) => {
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await connection.sendRequest(DocumentFormattingRequest.type, { textDocument: { uri }, options });
    return TextDocument.applyEdits(TextDocument.create(uri, '', 0, text), edits ?? []);
  },
  tokens: async (client, { uri, text }) => {
    const { tokenTypes } = client.legend;
    const found = await client.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri } });
    return tokensText(found?.data ?? [], tokenTypes, text);
  },
  hints: async ({ connection }, { uri, text }) => {
    const end = { line: text.split('\n').length, character: 0 };
    const range = { start: { line: 0, character: 0 }, end };
    const found = await connection.sendRequest(InlayHintRequest.type, { textDocument: { uri }, range });
    const hints = (found ?? []).map(({ position: at, label, tooltip }) => {
      const about = typeof tooltip === 'object' ? tooltip.value : (tooltip ?? '');
      return `${place({ start: at, end: at })} ${typeof label === 'string' ? label : ''}\n    ${about}`;
    });
    return hints.join('\n') || 'none';
  },
  definition: async (client, { uri, position }) =>
    placesText(await client.connection.sendRequest(DefinitionRequest.type, { textDocument: { uri }, position })),
  references: async (client, { uri, position }) =>
    placesText(
      await client.connection.sendRequest(ReferencesRequest.type, {
        textDocument: { uri },
        position,
        context: { includeDeclaration: true },
      }),
    ),
  // The new name is "renamed".
  rename: async ({ connection }, { uri, position, text }) => {
    const about = { textDocument: { uri }, position };
    try {
      const prepared = await connection.sendRequest(PrepareRenameRequest.type, about);
      if (!prepared || !('start' in prepared || 'placeholder' in prepared)) return 'no name';
      const named =
        'start' in prepared ? partOf(text, prepared) : `${prepared.placeholder} at ${place(prepared.range)}`;
      const edit = await connection.sendRequest(RenameRequest.type, { ...about, newName: 'renamed' });
      const files = Object.entries(edit?.changes ?? {});
      const edits = files.flatMap(([file, made]) => made.map((one) => `${file}:${editText(one)}`));
      const changed = (edit?.documentChanges ?? []).flatMap((change) => {
        if ('edits' in change) {
          return change.edits.flatMap((one) => ('newText' in one ? `${change.textDocument.uri}:${editText(one)}` : []));
        }
        return 'newUri' in change ? `${change.oldUri} → ${change.newUri}` : change.kind;
      });
      return [named, ...[...edits, ...changed].sort()].join('\n');
    } catch (error) {
      if (error instanceof ResponseError) return `refused: ${error.message}`;
      throw error;
    }
  },
};

/** Each proposal with the line that it makes of the text, whose cursor is at `‸` if it is a snippet. */
function completionText(
  { label, detail, documentation, textEdit, insertTextFormat }: CompletionItem,
  text: string,
): string {
  const about = typeof documentation === 'object' ? documentation.value : (documentation ?? '');
  const made = textEdit && 'range' in textEdit ? edited(text, textEdit) : '';
  const said = [detail ?? '', about.split('\n')[0] ?? ''].filter((part) => part !== '').join(' · ');
  return `${label}${said === '' ? '' : ` (${said})`}\n    ${insertTextFormat === 2 ? 'snippet ' : ''}${made}`;
}

function edited(text: string, { range, newText }: TextEdit): string {
  const line = text.split('\n')[range.start.line] ?? '';
  return `${line.slice(0, range.start.character)}${newText}${line.slice(range.end.character)}`.replaceAll('\n', '⏎');
}

function symbolText({ name, detail = '', range, selectionRange }: DocumentSymbol, text: string): string {
  return `${place(range)}-${range.end.line + 1}:${range.end.character + 1} ${name} (${detail}) ${partOf(text, selectionRange)}`;
}

function tokensText(data: readonly number[], types: readonly string[], text: string): string {
  const lines = text.split('\n');
  let [line, character] = [0, 0];
  return Array.from({ length: data.length / 5 }, (_, at) => {
    const [down = 0, characters = 0, length = 0, type = 0] = data.slice(at * 5);
    character = down === 0 ? character + characters : characters;
    line += down;
    return `${line + 1} ${types[type]} ${lines[line]?.slice(character, character + length)}`;
  }).join('\n');
}

function placesText(found: Location | readonly (Location | LocationLink)[] | null): string {
  const places = found === null ? [] : [found].flat();
  return places.map((one) => ('uri' in one ? `${one.uri}:${place(one.range)}` : one.targetUri)).join('\n') || 'none';
}

function editText({ range, newText }: TextEdit): string {
  const { start, end } = range;
  return `${place(range)}-${end.line === start.line ? '' : `${end.line + 1}:`}${end.character + 1} ${newText}`;
}

const SEVERITIES = ['', 'error', 'warning', 'information', 'hint'];

function problemText(
  { range, severity = 1, message, code, tags, relatedInformation }: Diagnostic,
  text: string,
): string {
  const about = `${SEVERITIES[severity]}${code === undefined ? '' : ` ${code}`}${tags ? ', faded' : ''}`;
  const related = (relatedInformation ?? []).map(
    ({ location, message: said }) => `\n    see ${location.uri}:${location.range.start.line + 1} ${said}`,
  );
  return `${place(range)} ${about}: ${message}\n    ${partOf(text, range)}${related.join('')}`;
}

/** The lines that a fix removes and adds. */
function fixText({ title, isPreferred, edit, command }: CodeAction, uri: string, text: string): string {
  const document = TextDocument.create(uri, '', 0, text);
  const before = text.split('\n');
  const after = TextDocument.applyEdits(document, edit?.changes?.[uri] ?? []).split('\n');
  const shorter = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < shorter && before[start] === after[start]) start++;
  while (end < shorter - start && before.at(-end - 1) === after.at(-end - 1)) end++;
  const removed = before.slice(start, before.length - end).map((line) => `  - ${line}`);
  const added = after.slice(start, after.length - end).map((line) => `  + ${line}`);
  const run = command ? [`  ${command.command} ${JSON.stringify(command.arguments)}`] : [];
  return [`${title}${isPreferred ? ' (preferred)' : ''}`, ...removed, ...added, ...run]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Counted from 1, as in editors. */
export function place({ start }: Range): string {
  return `${start.line + 1}:${start.character + 1}`;
}

export function partOf(text: string, { start, end }: Range): string {
  const lines = text.split('\n');
  const first = lines[start.line] ?? '';
  return start.line === end.line ? first.slice(start.character, end.character) : `${first.slice(start.character)}…`;
}

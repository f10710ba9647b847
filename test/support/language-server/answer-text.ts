import {
  DefinitionRequest,
  type Diagnostic,
  type Location,
  type LocationLink,
  type Position,
  PrepareRenameRequest,
  type Range,
  ReferencesRequest,
  RenameRequest,
  ResponseError,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import type { LspClient } from './lsp-client.ts';

export interface Asked {
  readonly request: string;
  readonly uri: string;
  readonly position: Position;
  /** The text of the document. */
  readonly text: string;
}

/** The server's answer as a text for people, with the parts of the document that it is about. */
export async function answerText(client: LspClient, asked: Asked): Promise<string> {
  const write = WRITERS[asked.request];
  if (!write) throw new Error(`unknown request: ${asked.request}`);
  return write(client, asked);
}

type Writer = (client: LspClient, asked: Asked) => Promise<string>;

const WRITERS: Readonly<Record<string, Writer>> = {
  problems: async (client, { uri, text }) =>
    (await client.problems(uri)).map((problem) => problemText(problem, text)).join('\n'),
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
      if (!prepared || !('start' in prepared)) return 'no name';
      const edit = await connection.sendRequest(RenameRequest.type, { ...about, newName: 'renamed' });
      const files = Object.entries(edit?.changes ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
      const edits = files.flatMap(([file, made]) => made.map((one) => `${file}:${editText(one)}`));
      return [partOf(text, prepared), ...edits].join('\n');
    } catch (error) {
      if (error instanceof ResponseError) return `refused: ${error.message}`;
      throw error;
    }
  },
};

function placesText(found: Location | readonly (Location | LocationLink)[] | null): string {
  const places = found === null ? [] : [found].flat();
  return places.map((one) => ('uri' in one ? `${one.uri}:${place(one.range)}` : one.targetUri)).join('\n') || 'none';
}

function editText({ range, newText }: TextEdit): string {
  const { start, end } = range;
  return `${place(range)}-${end.line === start.line ? '' : `${end.line + 1}:`}${end.character + 1} ${newText}`;
}

const SEVERITIES = ['', 'error', 'warning', 'information', 'hint'];

function problemText({ range, severity = 1, message, code }: Diagnostic, text: string): string {
  const about = `${SEVERITIES[severity]}${code === undefined ? '' : ` ${code}`}`;
  return `${place(range)} ${about}: ${message}\n    ${partOf(text, range)}`;
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

import type { Diagnostic, Position, Range } from 'vscode-languageserver-protocol/node';
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
};

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

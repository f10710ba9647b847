import type { Content, FunctionCall, FunctionResponse, Part } from '@google/genai';
import type { GenerateRequest } from './content-generator.ts';

export interface FileRead {
  readonly path: string;
  readonly result: { readonly text: string } | { readonly error: string };
}

/** What the offline guide looks at in a request. */
export interface GuideTurn {
  readonly question: string;
  /** Files read since the question, in order. */
  readonly reads: readonly FileRead[];
  readonly canRead: boolean;
}

export const READ_FILE = 'read_file';

export function readTurn({ contents, config }: GenerateRequest): GuideTurn {
  const asked = contents.findLastIndex((content) => content.role !== 'model' && textOf(content) !== '');
  const since = contents.slice(asked + 1).flatMap((content) => content.parts ?? []);
  return {
    question: textOf(contents[asked]),
    reads: pairReads(since),
    canRead: (config.tools ?? []).some((tool) => 'functionDeclarations' in tool && declares(tool.functionDeclarations)),
  };
}

function declares(declarations: readonly { name?: string }[] = []): boolean {
  return declarations.some(({ name }) => name === READ_FILE);
}

function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).map((part) => part.text ?? '').join('');
}

function pairReads(parts: readonly Part[]): readonly FileRead[] {
  const responses = parts.flatMap((part) => part.functionResponse ?? []);
  const calls = parts.flatMap((part) => part.functionCall ?? []).filter((call) => call.name === READ_FILE);
  return calls.flatMap((call) => {
    const response = responses.find((candidate) => candidate.id === call.id);
    return response ? [{ path: pathOf(call), result: resultOf(response) }] : [];
  });
}

function pathOf({ args }: FunctionCall): string {
  const path = args?.['file_path'];
  return typeof path === 'string' ? path : '';
}

function resultOf({ response = {} }: FunctionResponse): FileRead['result'] {
  const { output, error } = response;
  if (typeof output === 'string') return { text: output };
  return { error: typeof error === 'string' ? error : 'The tool gave no text.' };
}

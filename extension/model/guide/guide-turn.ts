import type { Content, FunctionCall, FunctionResponse, Part } from '@google/genai';
import type { GenerateRequest } from '../content-generator.ts';

export interface GuideCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: { readonly text: string } | { readonly error: string };
}

/** What the offline guide looks at in a request. */
export interface GuideTurn {
  readonly question: string;
  /** Tools that ran since the question, in order. */
  readonly calls: readonly GuideCall[];
  /** The names of those that can be called. */
  readonly tools: ReadonlySet<string>;
}

export function readTurn({ contents, config }: GenerateRequest): GuideTurn {
  const asked = contents.findLastIndex((content) => content.role !== 'model' && textOf(content) !== '');
  const since = contents.slice(asked + 1).flatMap((content) => content.parts ?? []);
  const declared = (config.tools ?? []).flatMap((tool) =>
    'functionDeclarations' in tool ? (tool.functionDeclarations ?? []) : [],
  );
  return {
    question: textOf(contents[asked]),
    calls: pairCalls(since),
    tools: new Set(declared.flatMap(({ name }) => name ?? [])),
  };
}

function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).map((part) => part.text ?? '').join('');
}

function pairCalls(parts: readonly Part[]): readonly GuideCall[] {
  const responses = parts.flatMap((part) => part.functionResponse ?? []);
  const calls = parts.flatMap((part) => part.functionCall ?? []);
  return calls.flatMap((call: FunctionCall) => {
    const response = responses.find((candidate) => candidate.id === call.id);
    return response ? [{ name: call.name ?? '', args: call.args ?? {}, result: resultOf(response) }] : [];
  });
}

function resultOf({ response = {} }: FunctionResponse): GuideCall['result'] {
  const { output, error } = response;
  if (typeof output === 'string') return { text: output };
  return { error: typeof error === 'string' ? error : 'The tool gave no text.' };
}

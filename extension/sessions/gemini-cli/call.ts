import type { FunctionResponse, Part } from '@google/genai';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { ToolResult } from '../../ports/tool.ts';
import type { DisplayContent, ToolDisplay } from '../../protocol/agent/agent-event.ts';
import type { RecordBody } from '../session-record.ts';
import { type GeminiCall, type GeminiMessage, recordedText } from './message.ts';

type ToolFinished = Extract<RecordBody, { type: 'tool_finished' }>;

/** A call with everything that Gantry's log needs. */
export interface ImportedCall {
  readonly finished: ToolFinished;
  /** The display before there is a result. */
  readonly display: ToolDisplay;
  readonly response: Part;
  /** Parts of the tool's result besides its response, such as an image. */
  readonly beside: readonly Part[];
  readonly at: number | undefined;
}

export interface ModelTurn {
  readonly parts: readonly Part[];
  readonly calls: readonly ImportedCall[];
}

export const NO_RESULT = 'It is not known how this call ended: no result was recorded.';

/**
 * The model's part of a message, with its calls paired with their results. The results are stored with the recorded
 * call or, in a history that was written back, in the user turn after it.
 */
export function modelTurn(message: GeminiMessage, next: readonly Part[], uniqueId: (id: string) => string): ModelTurn {
  const recorded = [...message.calls];
  const unclaimed = next.flatMap((part) => part.functionResponse ?? []);
  const calls: ImportedCall[] = [];
  const take = (call: GeminiCall): Part => {
    const answer = call.result ? answerIn(call, call.result) : answerBehind(call, next, unclaimed);
    const id = uniqueId(call.id);
    calls.push(importedCall({ ...call, id }, answer));
    return { functionCall: { id, name: call.name, args: { ...call.args } } };
  };
  const said = message.parts.flatMap((part): Part[] => {
    if (part.functionResponse) return [];
    return part.functionCall ? [{ ...part, ...take(recordOf(part.functionCall, recorded)) }] : [part];
  });
  const thoughts = message.parts.some((part) => part.thought) ? [] : message.thoughts.map(thoughtPart);
  return { parts: [...thoughts, ...said, ...recorded.map(take)], calls };
}

function thoughtPart(text: string): Part {
  return { text, thought: true };
}

/** The record of a call that the message itself contains too. If an id is missing on either side, the name decides. */
function recordOf(
  { id = '', name = '', args = {} }: NonNullable<Part['functionCall']>,
  pool: GeminiCall[],
): GeminiCall {
  const place = indexById(pool, id) ?? pool.findIndex((call) => call.name === name && (call.id === '' || id === ''));
  const [found] = place < 0 ? [] : pool.splice(place, 1);
  if (found) return { ...found, id: found.id || id };
  const nothing = { status: '', at: undefined, result: undefined, displayName: '', description: '' };
  return { id, name, args, ...nothing };
}

interface Answer {
  readonly response: Record<string, unknown>;
  readonly beside: readonly Part[];
}

function answerIn(call: GeminiCall, result: readonly Part[]): Answer {
  const responses = result.flatMap((part) => part.functionResponse ?? []);
  const beside = result.filter((part) => !part.functionResponse && !part.functionCall);
  if (responses.length === 0) return { response: { output: recordedText(beside) }, beside: beside.filter(isMedia) };
  const mine = responses[indexById(responses, call.id) ?? 0];
  // A result can be the whole turn with the responses of other calls. Parts besides the responses are kept once.
  return answerOf(mine, mine === responses[0] ? beside : []);
}

function answerBehind(call: GeminiCall, next: readonly Part[], unclaimed: FunctionResponse[]): Answer | undefined {
  const place = indexById(unclaimed, call.id) ?? unclaimed.findIndex(({ id, name }) => !id && name === call.name);
  const [mine] = place < 0 ? [] : unclaimed.splice(place, 1);
  const isFirst = mine && next.find((part) => part.functionResponse)?.functionResponse === mine;
  return mine && answerOf(mine, isFirst ? next.filter((part) => !part.functionResponse && !part.functionCall) : []);
}

function answerOf(response: FunctionResponse | undefined, beside: readonly Part[]): Answer {
  // Most models accept only text inside a response, so its media moves next to it.
  const media = response?.parts?.flatMap(({ inlineData, fileData }): Part[] =>
    inlineData ? [{ inlineData }] : fileData ? [{ fileData }] : [],
  );
  return { response: response?.response ?? { output: '' }, beside: [...(media ?? []), ...beside] };
}

function importedCall(recorded: GeminiCall, answer: Answer | undefined): ImportedCall {
  const { id, name, args, at } = recorded;
  const { response, beside } = answer ?? { response: { error: NO_RESULT }, beside: [] };
  const display = displayOf(recorded);
  const state = stateOf(recorded.status, answer);
  const result = state === 'success' ? successOf(answer) : failureOf(state, response);
  return {
    finished: { type: 'tool_finished', call: { id, name, args: { ...args } }, state, result, display },
    display: {
      ...(display.name && { name: display.name }),
      ...(display.description && { description: display.description }),
    },
    response: { functionResponse: { id, name, response } },
    beside,
    at,
  };
}

function stateOf(status: string, answer: Answer | undefined): ToolFinished['state'] {
  if (status === 'success' || status === 'error' || status === 'cancelled') return status;
  if (!answer) return 'cancelled';
  return answer.response['error'] === undefined ? 'success' : 'error';
}

function successOf(answer: Answer | undefined): ToolResult {
  if (!answer) return { content: '' };
  const text = outputText(answer.response);
  return { content: answer.beside.length === 0 ? text : [...(text ? [{ text }] : []), ...answer.beside] };
}

function failureOf(state: 'error' | 'cancelled', response: Record<string, unknown>): ToolResult {
  const { error } = response;
  const message = typeof error === 'string' ? error : outputText(response);
  return { content: '', error: { type: state === 'cancelled' ? 'cancelled' : 'unhandled_exception', message } };
}

function outputText(response: Record<string, unknown>): string {
  const { output } = response;
  return typeof output === 'string' ? output : JSON.stringify(response);
}

function isMedia({ inlineData, fileData }: Part): boolean {
  return Boolean(inlineData || fileData);
}

function indexById(list: readonly { readonly id?: string }[], id: string): number | undefined {
  const place = id === '' ? -1 : list.findIndex((item) => item.id === id);
  return place < 0 ? undefined : place;
}

const fileDiff = once(() =>
  z.object({
    filePath: z.string().exactOptional(),
    fileName: z.string().exactOptional(),
    originalContent: z.string().nullable(),
    newContent: z.string(),
  }),
);
const patchOnly = once(() => z.object({ fileDiff: z.string() }));
/** Terminal output as lines of colored pieces. Only their text is kept. */
const terminal = once(() => z.array(z.array(z.object({ text: z.string() }))));
const todos = once(() =>
  z.object({ todos: z.array(z.object({ description: z.string(), status: z.string().catch('') })) }),
);
const summarised = once(() => z.object({ summary: z.string() }));

/** Gemini CLI falls back to the description of the tool, which can be a page long; a card has one line. */
const MAX_DESCRIPTION = 200;

function displayOf({ displayName, description, resultDisplay }: GeminiCall): ToolDisplay {
  const line = description.trim().split('\n', 1)[0] ?? '';
  const result = resultOf(resultDisplay);
  const summary = summarised().safeParse(resultDisplay);
  return {
    ...(displayName && { name: displayName }),
    ...(line && { description: line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line }),
    ...(summary.success && { resultSummary: summary.data.summary }),
    ...(result && { result }),
  };
}

function resultOf(shown: unknown): DisplayContent | undefined {
  if (typeof shown === 'string') return shown === '' ? undefined : { type: 'text', text: shown };
  const diff = fileDiff().safeParse(shown).data;
  if (diff) {
    const path = diff.filePath ?? diff.fileName;
    const texts = { beforeText: diff.originalContent ?? '', afterText: diff.newContent };
    return { type: 'diff', ...(path !== undefined && { path }), ...texts };
  }
  const text = textOf(shown);
  return text ? { type: 'text', text } : undefined;
}

function textOf(shown: unknown): string | undefined {
  const patch = patchOnly().safeParse(shown).data;
  if (patch) return patch.fileDiff;
  const lines = terminal().safeParse(shown).data;
  if (lines) return lines.map((line) => line.map((piece) => piece.text).join('')).join('\n');
  const list = todos().safeParse(shown).data;
  return list?.todos.map(({ description, status }) => `[${status.replaceAll('_', ' ')}] ${description}`).join('\n');
}

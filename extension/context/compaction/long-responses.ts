import type { Content, FunctionResponse, Part } from '@google/genai';
import { cutLongOutput } from '../../text/long-output.ts';
import { estimateTokens } from '../token-estimate.ts';

/** Gemini CLI's: what the newest outputs of tools may have together before older ones are cut. */
const RESPONSE_TOKENS = 50_000;

/** What is left of an output; as much as the longest output of a command. */
export const CUT_CHARS = 40_000;

/**
 * An output that was cut when it came is about as long, and the whole of it is in a file already, which must not be
 * written over with a part.
 */
const LONGEST_WHOLE = CUT_CHARS + 2000;

/** An output that is shown in part. */
export interface Cut {
  /** In characters. */
  readonly threshold: number;
  /** Where the whole of it is. */
  readonly file: string | undefined;
}

/** An output that is to be cut, by its call. */
export interface LongResponse {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
}

/**
 * The outputs for which there is no room, newest first: from the newest on they are counted, and those that do not fit
 * are cut. One that is as short as that already, or has no call to be known by, stays.
 */
export function longResponses(
  contents: readonly Content[],
  tokensOf: (response: FunctionResponse) => number = responseTokens,
): LongResponse[] {
  const long: LongResponse[] = [];
  let counted = 0;
  for (const { functionResponse } of contents.flatMap(({ parts = [] }) => parts).toReversed()) {
    if (!functionResponse) continue;
    const { id: callId, name: tool = 'tool' } = functionResponse;
    const tokens = tokensOf(functionResponse);
    const text = counted + tokens <= RESPONSE_TOKENS || !callId ? '' : textOf(functionResponse);
    if (!callId || text.length <= LONGEST_WHOLE) {
      counted += tokens;
      continue;
    }
    counted += textTokens(cutLongOutput(text, { threshold: CUT_CHARS, file: undefined }));
    long.push({ callId, tool, text });
  }
  return long;
}

/** The contents with these outputs cut. Contents without any of them are the same objects. */
export function withCuts(contents: readonly Content[], cuts: ReadonlyMap<string, Cut>): Content[] {
  return contents.map((content) => contentWithCuts(content, cuts));
}

export function contentWithCuts(content: Content, cuts: ReadonlyMap<string, Cut>): Content {
  const isCut = ({ functionResponse }: Part): boolean => cuts.has(functionResponse?.id ?? '');
  if (!content.parts?.some(isCut)) return content;
  return { ...content, parts: content.parts.map((part) => partWithCut(part, cuts)) };
}

function partWithCut(part: Part, cuts: ReadonlyMap<string, Cut>): Part {
  const { functionResponse } = part;
  const cut = cuts.get(functionResponse?.id ?? '');
  if (!functionResponse || !cut) return part;
  const output = cutLongOutput(textOf(functionResponse), cut);
  // What stands beside a text, such as pictures, stays; a response without one is all text.
  const { output: _, content: __, ...beside } = hasText(functionResponse) ? (functionResponse.response ?? {}) : {};
  return { ...part, functionResponse: { ...functionResponse, response: { ...beside, output } } };
}

function hasText({ response }: FunctionResponse): boolean {
  return typeof response?.['output'] === 'string' || typeof response?.['content'] === 'string';
}

function textOf({ response = {} }: FunctionResponse): string {
  const { output, content } = response;
  if (typeof output === 'string') return output;
  return typeof content === 'string' ? content : JSON.stringify(response, undefined, 2);
}

export function responseTokens(response: FunctionResponse): number {
  return textTokens(textOf(response));
}

function textTokens(text: string): number {
  return estimateTokens([{ role: 'user', parts: [{ text }] }]);
}

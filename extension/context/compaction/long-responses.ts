import type { Content, FunctionResponse, Part } from '@google/genai';
import { cutLongOutput } from '../../text/long-output.ts';
import { estimateTokens } from '../token-estimate.ts';

/** Gemini CLI's limit for the newest tool outputs together. Older outputs beyond it are cut. */
const RESPONSE_TOKENS = 50_000;

/** The length of a cut output, the same as that of the longest command output. */
export const CUT_CHARS = 40_000;

/**
 * Outputs that were already cut when they arrived are about this long. Their full text is already in a file, which must
 * not be overwritten with the cut one.
 */
const LONGEST_WHOLE = CUT_CHARS + 2000;

/** The parameters of a cut output. */
export interface Cut {
  /** In characters. */
  readonly threshold: number;
  /** The file with the full output. */
  readonly file: string | undefined;
}

/** An output to cut, identified by its call. */
export interface LongResponse {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
}

/**
 * The outputs that exceed the limit, newest first. Counting starts at the newest output. Outputs that are already short
 * enough or have no call id stay unchanged.
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

/** Cuts these outputs. Contents without any of them keep their identity. */
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
  // Data next to the text, such as images, stays. A response without a text field is converted to text as a whole.
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

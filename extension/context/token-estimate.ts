import type { Content, GenerateContentConfig, Part } from '@google/genai';
import { GrowingList } from '../base/growing-list.ts';
import { MEDIA_KEY, responseMedia } from './media-line.ts';
import { type MediaRule, mediaRuleOf, mediaTokens } from './tokens/media-tokens.ts';
import { textTokens } from './tokens/text-tokens.ts';

/**
 * Estimates the number of tokens without asking the server. The results are cached by the identity of the parts, so
 * that a growing history costs only its new parts. Parts must not be modified afterwards.
 */
export function estimateTokens(contents: readonly Content[], model = ''): number {
  const rule = mediaRuleOf(model);
  return Math.round(contents.reduce((sum, content) => withContent(sum, content, rule), 0));
}

/** Estimates the contents of a growing conversation, at the cost of those that were added. */
export class GrowingEstimate {
  /** The sums up to each content. */
  private readonly sums: Readonly<Record<MediaRule, GrowingList<Content, number>>> = {
    fixed: new GrowingList((content, _, sum = 0) => withContent(sum, content, 'fixed')),
    tiles: new GrowingList((content, _, sum = 0) => withContent(sum, content, 'tiles')),
  };

  tokens(contents: readonly Content[], model: string): number {
    return Math.round(this.sums[mediaRuleOf(model)].map(contents).at(-1) ?? 0);
  }
}

function withContent(sum: number, { parts = [] }: Content, rule: MediaRule): number {
  return parts.reduce((tokens, part) => tokens + partTokens(part, rule), sum + PER_CONTENT);
}

export function partTokens(part: Part, rule: MediaRule = 'tiles'): number {
  const known = COUNTED[rule].get(part);
  if (known !== undefined) return known;
  const tokens = countPart(part, rule);
  COUNTED[rule].set(part, tokens);
  return tokens;
}

/** The tokens of the instruction and the tool declarations, which every request contains. */
export function configTokens({ systemInstruction, tools = [] }: GenerateContentConfig = {}): number {
  let tokens = systemInstruction === undefined ? 0 : instructionTokens(instructionText(systemInstruction));
  for (const tool of tools) {
    for (const declaration of ('functionDeclarations' in tool && tool.functionDeclarations) || []) {
      const known = DECLARED.get(declaration) ?? valueTokens(declaration);
      DECLARED.set(declaration, known);
      tokens += known;
    }
  }
  return Math.round(tokens);
}

/** A cache: the instruction is long and rarely changes. */
let lastInstruction = { text: '', tokens: 0 };

function instructionTokens(text: string): number {
  if (lastInstruction.text !== text) lastInstruction = { text, tokens: textTokens(text) };
  return lastInstruction.tokens;
}

/** For the role. */
const PER_CONTENT = 1;
/** The overhead of a call or a response. */
const PER_CALL = 6;
/** Signatures are encrypted thoughts and count like the thoughts themselves. */
const SIGNATURE_CHARS = 4;

/** A cache: the number of a part never changes. */
const COUNTED: Readonly<Record<MediaRule, WeakMap<Part, number>>> = { fixed: new WeakMap(), tiles: new WeakMap() };
const DECLARED = new WeakMap<object, number>();

function countPart(part: Part, rule: MediaRule): number {
  const { text, functionCall, functionResponse, inlineData, fileData, thoughtSignature = '' } = part;
  let tokens = Math.ceil(thoughtSignature.length / SIGNATURE_CHARS);
  if (text !== undefined) tokens += textTokens(text);
  if (inlineData) tokens += mediaTokens(inlineData, rule);
  if (fileData) tokens += mediaTokens({ mimeType: fileData.mimeType }, rule);
  if (functionCall) tokens += PER_CALL + textTokens(functionCall.name ?? '') + valueTokens(functionCall.args);
  if (functionResponse) {
    const { [MEDIA_KEY]: _, ...response } = functionResponse.response ?? {};
    tokens += PER_CALL + textTokens(functionResponse.name ?? '') + valueTokens(response);
    for (const media of responseMedia(part)) tokens += partTokens(media, rule);
    for (const { inlineData: nested } of functionResponse.parts ?? []) if (nested) tokens += mediaTokens(nested, rule);
  }
  return tokens;
}

/** Counts values without JSON's escapes, because the server counts the decoded text. */
function valueTokens(value: unknown): number {
  if (typeof value === 'string') return textTokens(value) + 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + valueTokens(item) + 1, 1);
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : textTokens(String(value)) + 1;
  let tokens = 1;
  for (const [key, field] of Object.entries(value)) tokens += textTokens(key) + 1 + valueTokens(field);
  return tokens;
}

export function instructionText(instruction: NonNullable<GenerateContentConfig['systemInstruction']>): string {
  if (typeof instruction === 'string') return instruction;
  if (Array.isArray(instruction)) return instruction.map((item) => instructionText(item)).join('\n');
  if ('parts' in instruction) return (instruction.parts ?? []).map(({ text = '' }) => text).join('\n');
  return 'text' in instruction ? (instruction.text ?? '') : '';
}

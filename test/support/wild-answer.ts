import { FinishReason, Language, Outcome } from '@google/genai';
import fc from 'fast-check';

/** A model's answer, with parts of any kind that a service may send, and its finish reason. */
export interface WildAnswer {
  readonly parts: readonly object[];
  /** Absent for a stream that ends without one. */
  readonly finishReason: string | undefined;
}

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const thought = fc.constantFrom({}, {}, { thought: true });
const signature = fc.constantFrom('c2ln', 'b25l', 'dHdv', 'dGhyZWU=');

/** Only these parts are split, between any two characters: a part with a signature is never split. */
const text = fc.tuple(words, thought).map(([said, kind]) => ({ text: said, ...kind }));
const signed = fc.tuple(words, thought, signature).map(([said, kind, thoughtSignature]) => {
  return { text: said, ...kind, thoughtSignature };
});
const empty = fc.tuple(thought, fc.option(signature)).map(([kind, thoughtSignature]) => {
  return { text: '', ...kind, ...(thoughtSignature !== null && { thoughtSignature }) };
});
const call = fc
  .record({ name: fc.constantFrom('look', 'look', 'none_such', '', null), args: fc.constantFrom({}, { a: 1 }, null) })
  .map((functionCall) => ({ functionCall }));
const signedCall = fc.tuple(call, signature).map(([part, thoughtSignature]) => ({ ...part, thoughtSignature }));
const other = fc.constantFrom<object>(
  { inlineData: { mimeType: 'image/png', data: 'AA==' } },
  { inlineData: { mimeType: 'image/png', data: 'AA==' }, thought: true },
  { inlineData: { mimeType: 'image/png', data: 'AA==' }, thoughtSignature: 'cGlj' },
  { fileData: { mimeType: 'text/plain', fileUri: 'gs://bucket/a.txt' } },
  { executableCode: { language: Language.PYTHON, code: 'print(1)' } },
  { codeExecutionResult: { outcome: Outcome.OUTCOME_OK, output: '1' } },
  { toolCall: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', args: {} } },
  { toolResponse: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
);
const odd = fc.constantFrom<object>(
  {},
  { thought: true },
  { text: null, thought: null },
  { thoughtSignature: 'b25seQ==' },
  { text: '', functionCall: { name: 'look', args: {} } },
  { text: 'Both', functionCall: { name: 'look', args: {} }, thoughtSignature: 'Ym90aA==' },
  { functionCall: { name: 'look', args: {}, id: 'call_0', willContinue: false } },
  { functionResponse: { name: 'look', response: {} } },
  { hologram: { depth: 3 } },
  { hologram: {}, thoughtSignature: 'aG9sbw==' },
);

export const wildAnswer: fc.Arbitrary<WildAnswer> = fc.record({
  parts: fc.array(
    fc.oneof(
      { arbitrary: text, weight: 4 },
      { arbitrary: empty, weight: 3 },
      { arbitrary: fc.oneof(call, signedCall), weight: 3 },
      { arbitrary: fc.oneof(signed, other, odd), weight: 3 },
    ),
    { maxLength: 7, size: 'max' },
  ),
  finishReason: fc.oneof(
    { arbitrary: fc.constant('STOP'), weight: 4 },
    { arbitrary: fc.constantFrom(...Object.values(FinishReason), 'ANOTHER', undefined), weight: 1 },
  ),
});

/** The choices where and how to split an answer. Each is taken modulo the number of options. */
export type Choices = readonly number[];
export const wildChoices: fc.Arbitrary<Choices> = fc.array(fc.nat(), { minLength: 1, maxLength: 40, size: 'max' });

const USAGE = { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 };
const MODEL = { modelVersion: 'gemini-3.8-flash', responseId: 'r' };

/** Chunks without content. */
const NOTHING: readonly object[] = [
  { usageMetadata: { promptTokenCount: 12 } },
  { promptFeedback: { blockReason: null } },
  { promptFeedback: {}, candidates: null },
  { candidates: [] },
  { candidates: [{}] },
  { candidates: [{ content: null, finishReason: null }], usageMetadata: null },
  { candidates: [{ content: { role: 'model' } }] },
  { candidates: [{ content: { role: 'model', parts: null } }] },
  { candidates: [{ content: { role: 'model', parts: [] } }] },
  { candidates: [{ content: { role: 'model', parts: [{ text: '' }] } }] },
  { candidates: [{ content: { role: 'model', parts: [{ text: '', thought: true }, {}] } }] },
  { candidates: [{ content: { parts: [] }, safetyRatings: [], groundingMetadata: { webSearchQueries: ['x'] } }] },
];

export function inOneChunk({ parts, finishReason }: WildAnswer): object[] {
  return [{ ...candidate(parts, finishReason), usageMetadata: USAGE, ...MODEL }];
}

/** The same answer in other chunks, with empty chunks between them. */
export function inChunks({ parts, finishReason }: WildAnswer, choices: Choices): object[] {
  let choice = 0;
  const choose = (of: number): number => (choices[choice++ % choices.length] ?? 0) % of;
  const nothing = (): object[] => Array.from({ length: choose(3) }, () => NOTHING[choose(NOTHING.length)] ?? {});
  const chunks: object[] = [...nothing()];
  let together: object[] = [];
  const flush = (): void => {
    if (together.length > 0) chunks.push({ ...candidate(together), ...MODEL });
    together = [];
  };
  for (const piece of parts.flatMap((part) => cut(part, choose))) {
    together.push(piece);
    if (choose(2) > 0) continue;
    flush();
    chunks.push(...nothing());
  }
  const last = choose(2) > 0 ? together.splice(0) : undefined;
  flush();
  chunks.push(...nothing(), { ...candidate(last, finishReason), usageMetadata: USAGE, ...MODEL });
  return choose(2) > 0 ? [...chunks, { usageMetadata: USAGE }] : chunks;
}

function candidate(parts: readonly object[] | undefined, finishReason?: string): object {
  const content = parts && { content: { role: 'model', parts } };
  return { candidates: [{ ...content, ...(finishReason !== undefined && { finishReason }), index: 0 }] };
}

function cut(part: object, choose: (of: number) => number): object[] {
  const { text: said, thought: isThought, ...rest } = part as { readonly text?: unknown; readonly thought?: unknown };
  if (typeof said !== 'string' || said === '' || Object.keys(rest).length > 0) return [part];
  const kind = isThought === undefined ? {} : { thought: isThought };
  const at = choose(said.length + 1);
  // Also splits surrogate pairs, and may leave one side empty.
  return [
    { text: said.slice(0, at), ...kind },
    { text: said.slice(at), ...kind },
  ];
}

import type { Part } from '@google/genai';
import type { AnswerChunk } from './content-generator.ts';
import type { ModelFailure } from './model-failure.ts';

const ENDS_WELL: ReadonlySet<string> = new Set(['STOP', 'MAX_TOKENS', 'FINISH_REASON_UNSPECIFIED']);

/** Words that came before a refusal are an answer; the finish reason tells the rest. Without words it is a failure. */
const REFUSALS: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);

/** Watches the chunks of one answer, and says at the end of the stream whether they add up to one. */
export class AnswerCheck {
  private candidates = 0;
  private substance = false;
  private words = false;
  private blockReason: string | undefined;
  private finishReason: string | undefined;

  /** Words of the answer have been handed on. */
  get arrived(): boolean {
    return this.words;
  }

  see(chunk: AnswerChunk): void {
    const candidate = chunk.candidates?.[0];
    const parts = candidate?.content?.parts ?? [];
    this.candidates += candidate ? 1 : 0;
    this.substance ||= parts.some((part) => !part.thought && !isBlank(part));
    this.words ||= parts.some((part) => !part.thought && Boolean(part.text));
    this.blockReason ??= chunk.promptFeedback?.blockReason;
    this.finishReason = candidate?.finishReason ?? this.finishReason;
  }

  failure(): ModelFailure | undefined {
    const { blockReason, finishReason, substance } = this;
    if (blockReason !== undefined) return { type: 'blocked', part: 'message', reason: blockReason };
    if (finishReason === undefined) return this.candidates > 0 ? { type: 'cut' } : { type: 'empty' };
    if (REFUSALS.has(finishReason))
      return substance ? undefined : { type: 'blocked', part: 'answer', reason: finishReason };
    if (!ENDS_WELL.has(finishReason)) return { type: 'broken-off', finishReason };
    return substance ? undefined : { type: 'empty', finishReason };
  }
}

/** Gemini ends some streams with an empty text, which also carries the thought signature. */
function isBlank({ text, thoughtSignature: _, ...rest }: Part): boolean {
  return !text && Object.keys(rest).length === 0;
}

import { saidIn } from '../answer-parts.ts';
import type { AnswerChunk } from '../content-generator.ts';
import type { ModelFailure } from '../model-failure.ts';

const ENDS_WELL: ReadonlySet<string> = new Set(['STOP', 'MAX_TOKENS', 'CONTINUATION', 'FINISH_REASON_UNSPECIFIED']);

/**
 * If text arrived before the refusal, it is an answer, and the finish reason explains its end. Without text, it is a
 * failure.
 */
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

/** Watches the chunks of one answer and checks at the end of the stream whether they form a valid answer. */
export class AnswerCheck {
  private begun = false;
  private other = false;
  private said = '';
  private thought = false;
  private words = false;
  private blockReason: string | undefined;
  private finishReason: string | undefined;

  /** Whether text of the answer was passed on. */
  get arrived(): boolean {
    return this.words;
  }

  see(chunk: AnswerChunk): void {
    const candidate = chunk.candidates?.[0];
    for (const { text, thought, functionCall } of (candidate?.content?.parts ?? []).flatMap(saidIn)) {
      this.begun = true;
      if (thought && !functionCall) this.thought ||= text !== '';
      else if (text !== undefined) this.said += text;
      else this.other = true;
    }
    this.words ||= this.said !== '';
    // Some gateways send null if nothing was blocked.
    this.blockReason ??= chunk.promptFeedback?.blockReason ?? undefined;
    this.finishReason = candidate?.finishReason ?? this.finishReason;
  }

  failure(): ModelFailure | undefined {
    const { blockReason, finishReason } = this;
    const substance = this.other || isVisible(this.said);
    if (blockReason !== undefined) return { type: 'blocked', part: 'message', reason: blockReason };
    if (finishReason === undefined) return this.begun ? { type: 'cut' } : { type: 'empty' };
    if (REFUSALS.has(finishReason))
      return substance ? undefined : { type: 'blocked', part: 'answer', reason: finishReason };
    if (!ENDS_WELL.has(finishReason)) return { type: 'broken-off', finishReason };
    // If the thoughts use up the whole output limit, the answer counts as truncated, not as empty.
    const thoughtThrough = finishReason === 'MAX_TOKENS' && this.thought;
    return substance || thoughtThrough
      ? undefined
      : { type: 'empty', finishReason, ...(this.thought && { thoughtsOnly: true }) };
  }
}

/** Whether a reader would see anything: whitespace, zero-width characters and HTML comments do not count. */
function isVisible(text: string): boolean {
  for (let at = 0; ; ) {
    const comment = text.indexOf('<!--', at);
    if (/[^\s\u200B-\u200F\uFEFF]/.test(text.slice(at, comment < 0 ? undefined : comment))) return true;
    if (comment < 0) return false;
    const end = text.indexOf('-->', comment + 4);
    if (end < 0) return true;
    at = end + 3;
  }
}

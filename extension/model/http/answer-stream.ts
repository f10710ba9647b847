import type { AnswerChunk } from '../content-generator.ts';
import { ModelFailureError } from '../model-failure.ts';
import { networkCode } from '../network-error.ts';
import type { Redact } from '../redact.ts';
import { checkedFrame } from './answer-frame.ts';
import { type Silence, SilenceError } from './idle-timeout.ts';
import { EventStreamParser, ItemTooLongError } from './sse.ts';

/** The pieces of an answer as they arrive, whole and checked; anything else throws. Leaving early closes the connection. */
export async function* readAnswer(
  body: ReadableStream<Uint8Array>,
  silence: Silence,
  redact: Redact,
): AsyncGenerator<AnswerChunk> {
  const parser = new EventStreamParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await silence.broken(reader.read());
      silence.begun();
      for (const item of done ? parser.end() : parser.push(value)) yield checkedFrame(item, redact);
      if (done) return;
    }
  } catch (error) {
    throw streamFailure(error);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function streamFailure(error: unknown): ModelFailureError {
  if (error instanceof ModelFailureError) return error;
  if (error instanceof ItemTooLongError) return new ModelFailureError({ type: 'unreadable' }, 'an endless event');
  const silent = error instanceof SilenceError && { silent: true };
  return new ModelFailureError({ type: 'cut', ...silent }, networkCode(error), { cause: error });
}

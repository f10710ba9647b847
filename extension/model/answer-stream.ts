import { checkedFrame } from './answer-frame.ts';
import { ModelFailureError } from './model-failure.ts';
import { networkCode } from './network-error.ts';
import type { Redact } from './redact.ts';
import { EventStreamParser, ItemTooLongError, type StreamItem } from './sse.ts';

/** The body of an answer again, with whole and checked events only; anything else errors the stream. */
export function answerStream(body: ReadableStream<Uint8Array>, redact: Redact): ReadableStream<Uint8Array> {
  const frames = new FrameReader(body.getReader(), redact);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const text = await frames.next();
      if (text === undefined) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
    cancel: (reason) => frames.cancel(reason),
  });
}

class FrameReader {
  private readonly parser = new EventStreamParser();
  private failure: unknown;

  constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly redact: Redact,
  ) {}

  /** The events of the next network chunk that has any; undefined at the end. */
  async next(): Promise<string | undefined> {
    try {
      if (this.failure) throw this.failure;
      for (;;) {
        const { done, value } = await this.reader.read();
        const frames = this.check(done ? this.parser.end() : this.parser.push(value));
        if (frames !== '') return frames;
        if (done) return undefined;
      }
    } catch (error) {
      throw streamFailure(error);
    }
  }

  cancel(reason: unknown): Promise<void> {
    return this.reader.cancel(reason);
  }

  /** A bad event is kept for the next call, because an error would take the good ones before it along. */
  private check(items: readonly StreamItem[]): string {
    let frames = '';
    for (const item of items) {
      try {
        frames += `data: ${checkedFrame(item, this.redact)}\n\n`;
      } catch (error) {
        if (frames === '') throw error;
        this.failure = error;
        break;
      }
    }
    return frames;
  }
}

function streamFailure(error: unknown): ModelFailureError {
  if (error instanceof ModelFailureError) return error;
  if (error instanceof ItemTooLongError) return new ModelFailureError({ type: 'unreadable' }, 'an endless event');
  return new ModelFailureError({ type: 'cut' }, networkCode(error), { cause: error });
}

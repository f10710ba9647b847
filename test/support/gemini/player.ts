import type { ServerResponse } from 'node:http';
import { untilAborted } from './gate.ts';
import { mergeResponses, type RenderedStep } from './render.ts';
import type { RecordedRequest } from './request.ts';
import type { HttpStep } from './script.ts';
import { frame, JSON_TYPE, jsonText, type ResponseBody, SSE_TYPE } from './wire.ts';

/** Plays a reply on one HTTP exchange. Stops silently when the client leaves. */
export async function play(
  steps: readonly RenderedStep[],
  request: RecordedRequest,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const channel = request.streamed ? new StreamChannel(response, gone) : new DocumentChannel(response, gone);
  for (const step of steps) {
    if (gone.aborted) return;
    switch (step.kind) {
      case 'wait':
        if (step.headersFirst) channel.open();
        await step.pass(gone);
        break;
      case 'response':
        await channel.respond(step.body);
        break;
      case 'body':
        await channel.send(channel.encode(step.body));
        break;
      case 'raw':
        await channel.send(step.data);
        break;
      case 'http':
        return answer(step, response);
      case 'cut':
        await channel.flush(true);
        request.settle('cut');
        response.destroy();
        return;
    }
  }
  await channel.flush(false);
  response.end();
}

function answer(step: HttpStep, response: ServerResponse): void {
  if (response.headersSent)
    throw new Error('A whole HTTP answer must come before anything is sent. Use streamError().');
  response.writeHead(step.status, { ...step.headers, 'content-length': Buffer.byteLength(step.body) });
  response.end(step.body);
}

abstract class Channel {
  readonly #response: ServerResponse;
  readonly #gone: AbortSignal;
  readonly #contentType: string;

  constructor(response: ServerResponse, gone: AbortSignal, contentType: string) {
    this.#response = response;
    this.#gone = gone;
    this.#contentType = contentType;
  }

  abstract respond(body: ResponseBody): Promise<void>;
  abstract encode(body: object): string;
  /** Sends buffered data, or half of it if the connection is about to be cut. */
  abstract flush(half: boolean): Promise<void>;

  open(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, { 'content-type': this.#contentType, 'x-content-type-options': 'nosniff' });
    this.#response.flushHeaders();
  }

  /** Resolves when the kernel has the bytes, so that cutting the connection doesn't discard them. */
  async send(data: string | Uint8Array): Promise<void> {
    this.open();
    // Node does not call the callback of an empty write until the next write.
    if (data.length === 0) return;
    const written = new Promise<void>((resolve) => {
      this.#response.write(data, () => resolve());
    });
    await untilAborted(written, this.#gone);
  }
}

class StreamChannel extends Channel {
  constructor(response: ServerResponse, gone: AbortSignal) {
    super(response, gone, SSE_TYPE);
  }

  respond(body: ResponseBody): Promise<void> {
    return this.send(frame(body));
  }

  encode(body: object): string {
    return frame(body);
  }

  flush(half: boolean): Promise<void> {
    // An empty stream still has headers; a connection that is cut at once has none.
    if (!half) this.open();
    return Promise.resolve();
  }
}

class DocumentChannel extends Channel {
  readonly #chunks: ResponseBody[] = [];
  #sent = false;

  constructor(response: ServerResponse, gone: AbortSignal) {
    super(response, gone, JSON_TYPE);
  }

  respond(body: ResponseBody): Promise<void> {
    this.#chunks.push(body);
    return Promise.resolve();
  }

  encode(body: object): string {
    return jsonText(body);
  }

  override send(data: string | Uint8Array): Promise<void> {
    this.#sent = true;
    return super.send(data);
  }

  async flush(half: boolean): Promise<void> {
    if (this.#sent || (half && this.#chunks.length === 0)) return;
    const text = jsonText(mergeResponses(this.#chunks));
    await this.send(half ? text.slice(0, text.length / 2) : text);
  }
}

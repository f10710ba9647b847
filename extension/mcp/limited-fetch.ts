import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MAX_SERVER_MESSAGE_BYTES } from './message-limit.ts';

/**
 * Requests to servers, whose answers end where they are too large. `tooLarge` is told about the request, if it was one. The
 * given signal ends those that bring none along.
 */
export function limitedFetch(tooLarge: (id: number | undefined) => void, signal?: AbortSignal): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, signal ? { signal, ...init } : init);
    if (!response.ok || !response.body) return response;
    const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    const body = response.body.pipeThrough(limitedBytes(isStream, () => tooLarge(requestId(init?.body))));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** A stream of events has no end, so there each event is counted alone. */
function limitedBytes(isStream: boolean, exceeded: () => void): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let atLineStart = false;
  const count = (chunk: Uint8Array): void => {
    if (!isStream) bytes += chunk.length;
    else
      for (const byte of chunk) {
        bytes++;
        if (byte === NEWLINE) {
          if (atLineStart) bytes = 0;
          atLineStart = true;
        } else if (byte !== RETURN) atLineStart = false;
      }
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      count(chunk);
      if (bytes <= MAX_SERVER_MESSAGE_BYTES) return controller.enqueue(chunk);
      exceeded();
      controller.error(new Error(`The answer is larger than ${MAX_SERVER_MESSAGE_BYTES} bytes.`));
    },
  });
}

function requestId(body: RequestInit['body']): number | undefined {
  // Ours begin with the method and end with the id; other bodies, such as those of registrations, have none.
  const [, id] = (typeof body === 'string' && /"id":(\d+)\}$/.exec(body)) || [];
  return id === undefined ? undefined : Number(id);
}

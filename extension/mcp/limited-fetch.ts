import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { MAX_SERVER_MESSAGE_BYTES } from './message-limit.ts';

/**
 * Fetches from servers and aborts responses that are too large. `tooLarge` gets the id of the request, if the body had
 * one. The signal applies to requests without their own.
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

/** A stream of events never ends, so the limit applies to each event. */
export function limitedBytes(isStream: boolean, exceeded: () => void): TransformStream<Uint8Array, Uint8Array> {
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
  // Our requests begin with the method and end with the id. Other bodies, such as registrations, have no id.
  const [, id] = (typeof body === 'string' && /"id":(\d+)\}$/.exec(body)) || [];
  return id === undefined ? undefined : Number(id);
}

import type { ServerResponse } from 'node:http';
import { isObject } from '../base/objects.ts';

/** What waits for a reader that is too slow. It can come back with the id of the last event that it has received. */
const MAX_WAITING = 1024 * 1024;
/** Clients and proxies give up on streams that are silent for a minute or two. */
const SILENCE_MS = 30_000;

/** A response of server-sent events. */
export class EventResponse {
  private readonly heartbeat: NodeJS.Timeout;

  constructor(private readonly response: ServerResponse) {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    });
    this.heartbeat = setInterval(() => this.put(':\n\n'), SILENCE_MS);
    this.heartbeat.unref();
    response.once('close', () => clearInterval(this.heartbeat));
  }

  /** False if the reader is gone, or was too slow and is disconnected. */
  write(envelope: object): boolean {
    const id = eventIdOf(envelope);
    return this.put(`${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(envelope)}\n\n`);
  }

  end(): void {
    clearInterval(this.heartbeat);
    this.response.end();
  }

  private put(text: string): boolean {
    const { response } = this;
    if (response.destroyed) return false;
    if (response.writableLength > MAX_WAITING) {
      response.destroy();
      return false;
    }
    response.write(text);
    return true;
  }
}

/** The id of the event that an envelope of either version tells of. */
function eventIdOf(envelope: object): string | undefined {
  const result = 'result' in envelope && isObject(envelope.result) ? envelope.result : {};
  const places = [result, result['task'], result['statusUpdate'], result['artifactUpdate']];
  const ids = places.map((place) => {
    const metadata = isObject(place) ? place['metadata'] : undefined;
    return isObject(metadata) ? metadata['eventId'] : undefined;
  });
  return ids.find((id) => typeof id === 'string');
}

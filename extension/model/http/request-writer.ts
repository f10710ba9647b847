import type { GoogleGenAI } from '@google/genai';

/** A request as the SDK would send it. */
export interface WrittenRequest {
  readonly input: URL | string;
  readonly init: RequestInit;
}

type Captured = (request: WrittenRequest) => void;

/** A client of the SDK that only writes requests. It writes one at a time. */
class RequestWriter {
  private captured: Captured = () => undefined;
  private readonly client: GoogleGenAI;

  constructor(clientWith: (send: typeof fetch) => GoogleGenAI) {
    this.client = clientWith((input, init = {}) => {
      if (typeof input !== 'string' && !(input instanceof URL)) throw new Error('The SDK wrote no address.');
      this.captured({ input, init });
      // The SDK has done its work. What it would do with a response is never needed.
      return new Promise(() => undefined);
    });
  }

  write(ask: (client: GoogleGenAI) => Promise<unknown>): Promise<WrittenRequest> {
    return new Promise((resolve, reject) => {
      this.captured = resolve;
      ask(this.client).then(() => reject(new Error('The SDK sent no request.')), reject);
    });
  }
}

/** Lets the SDK write requests. Clients are used again, because making one takes longer than writing a short request. */
export class RequestWriters {
  private readonly idle: RequestWriter[] = [];

  constructor(private readonly clientWith: (send: typeof fetch) => GoogleGenAI) {}

  async write(ask: (client: GoogleGenAI) => Promise<unknown>): Promise<WrittenRequest> {
    const writer = this.idle.pop() ?? new RequestWriter(this.clientWith);
    try {
      return await writer.write(ask);
    } finally {
      this.idle.push(writer);
    }
  }
}

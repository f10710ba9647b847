import type { GoogleGenAI } from '@google/genai';

/** A request without its body. */
export interface RequestHead {
  readonly url: URL | string;
  readonly method: string;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as the SDK would send it. */
export interface SdkRequest {
  readonly head: RequestHead;
  readonly body: string;
}

type Captured = (request: SdkRequest) => void;

/** A client of the SDK that only writes requests. It writes one at a time. */
class RequestWriter {
  private captured: Captured = () => undefined;
  private readonly client: GoogleGenAI;

  constructor(clientWith: (send: typeof fetch) => GoogleGenAI) {
    this.client = clientWith((input, init = {}) => {
      if (typeof input !== 'string' && !(input instanceof URL)) throw new Error('The SDK wrote no address.');
      const { method = 'POST', headers, body } = init;
      if (typeof body !== 'string') throw new Error('The SDK wrote no text.');
      this.captured({ head: { url: input, method, headers: headersOf(headers) }, body });
      // The SDK has done its work. What it would do with a response is never needed.
      return new Promise(() => undefined);
    });
  }

  write(ask: (client: GoogleGenAI) => Promise<unknown>): Promise<SdkRequest> {
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

  async write(ask: (client: GoogleGenAI) => Promise<unknown>): Promise<SdkRequest> {
    const writer = this.idle.pop() ?? new RequestWriter(this.clientWith);
    try {
      return await writer.write(ask);
    } finally {
      this.idle.push(writer);
    }
  }
}

/** The names in lower case, so that others can replace them. The SDK's key is a dummy that keeps it from searching for one. */
function headersOf(given: RequestInit['headers'] = {}): Record<string, string> {
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  const all = pairs.map(([name = '', value]) => [name.toLowerCase(), String(value)] as const);
  return Object.fromEntries(all.filter(([name]) => name !== KEY_HEADER));
}

const KEY_HEADER = 'x-goog-api-key';

/** A request to a model, complete with its credentials. */
export interface HttpRequest {
  readonly url: string | URL;
  readonly method: string;
  /** The names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces follow each other. */
  readonly body: string | readonly Uint8Array[];
}

/** A response whose headers have arrived. */
export interface HttpResponse {
  readonly status: number;
  /** The name is in lower case. */
  header(name: string): string | undefined;
  /** The next bytes of the body; undefined at its end. */
  read(): Promise<Uint8Array | undefined>;
  /** Closes the connection if the body was not read to its end. Never rejects. */
  close(): Promise<void>;
}

/** Sends a request without following redirects. Rejects if no response comes, or with the reason of the signal. */
export type SendHttp = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;

/** Sends with the `fetch` of this process, which VS Code replaces by one that knows the user's proxy and certificates. */
export const sendWithFetch: SendHttp = async ({ url, body: sent, ...init }, signal) => {
  const whole = typeof sent === 'string' ? sent : Buffer.concat(sent);
  const { status, headers, body } = await fetch(url, { ...init, body: whole, redirect: 'manual', signal });
  const reader = body?.getReader();
  return {
    status,
    header: (name) => headers.get(name) ?? undefined,
    read: async () => (await reader?.read())?.value,
    close: async () => {
      await reader?.cancel().catch(() => undefined);
    },
  };
};

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as l10n from '@vscode/l10n';

/** The answer of the sign-in page. */
export type CallbackAnswer = { readonly code: string } | { readonly error: string };

/** The state that the answer must contain. Undefined until a page was opened; no answer matches undefined. */
export type ExpectedState = () => string | undefined;

export interface LoopbackCallback {
  /** `http://127.0.0.1:<port>/`, by default with a free port. */
  readonly url: string;
  /** Rejects with the signal's reason. */
  readonly answer: Promise<CallbackAnswer>;
  close(): void;
}

/** Where to listen on this machine. */
export interface LoopbackPlace {
  readonly host: '127.0.0.1' | 'localhost';
  readonly port: number;
  readonly path: string;
}

const ANYWHERE: LoopbackPlace = { host: '127.0.0.1', port: 0, path: '/' };

/** Undefined for an address at which nothing on this machine could be listening, or not for this purpose. */
export function loopbackPlace(address: string): LoopbackPlace | undefined {
  const { protocol, hostname: host, port, pathname: path, username, search, hash } = new URL(address);
  const isPlain = protocol === 'http:' && port !== '' && username === '' && search === '' && hash === '';
  return isPlain && (host === '127.0.0.1' || host === 'localhost') ? { host, port: Number(port), path } : undefined;
}

/** Listens on this machine only, for one answer with the expected state. All other requests are rejected. */
export async function listenForCallback(
  state: ExpectedState,
  signal: AbortSignal,
  place = ANYWHERE,
): Promise<LoopbackCallback> {
  let settle: (answer: CallbackAnswer) => void = () => undefined;
  const answered = new Promise<CallbackAnswer>((resolve) => {
    settle = resolve;
  });
  const server = createServer((request, response) => {
    const answer = answerOf(request, place, state());
    write(response, answer);
    if (answer) settle(answer);
  });
  server.listen(place.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  const aborted = new Promise<never>((_, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  return { url: `http://127.0.0.1:${port}/`, answer: Promise.race([answered, aborted]).finally(close), close };
}

/** Reads the answer from a query. Returns undefined if there is none, or if its state belongs to another sign-in. */
export function readCallback(query: string, state: string | undefined): CallbackAnswer | undefined {
  const parameters = new URLSearchParams(query);
  if (!state || parameters.get('state') !== state) return undefined;
  const code = parameters.get('code');
  if (code) return { code };
  const error = parameters.get('error');
  return error ? { error } : undefined;
}

function answerOf(
  { method, url = '/', headers }: IncomingMessage,
  { host, path }: LoopbackPlace,
  state: string | undefined,
): CallbackAnswer | undefined {
  // Prevents DNS rebinding: an attacker's host name that resolves to this machine would appear in the Host header.
  const [, asked] = /^(127\.0\.0\.1|localhost):\d+$/.exec(headers.host ?? '') ?? [];
  if (method !== 'GET' || asked !== host) return undefined;
  const { pathname, search } = new URL(url, 'http://127.0.0.1');
  return pathname === path ? readCallback(search, state) : undefined;
}

function write(response: ServerResponse, answer: CallbackAnswer | undefined): void {
  const text = answer
    ? l10n.t('You can close this page and return to VS Code.')
    : l10n.t('This is not the response that Gantry expects.');
  response.writeHead(answer ? 200 : 400, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`${text}\n`);
}

import { isAbsolute, resolve } from 'node:path';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { startLineProcess } from '../processes/line-process.ts';
import type { ConnectionPorts, RequestFailure } from './connection-types.ts';
import { limitedFetch } from './limited-fetch.ts';
import { MAX_SERVER_MESSAGE_BYTES, tooLargeFor } from './message-limit.ts';
import { StoredLogin } from './oauth-provider.ts';
import type { ServerReach } from './server-definition.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface TransportTarget {
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly name: string;
  readonly reach: ServerReach;
}

export interface MadeTransport {
  readonly transport: Transport;
  readonly whyEnded?: () => string;
  /** Tells the server that the session is over. */
  readonly terminate?: () => Promise<void>;
}

/** `broken` is called if no pending request will be answered. */
export async function createTransport(
  { kind, name, reach }: TransportTarget,
  ports: ConnectionPorts,
  broken: () => void,
): Promise<MadeTransport> {
  if (reach.kind === 'stdio') return stdioTransport(name, reach, ports);
  const url = new URL(reach.url);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new Error(`${reach.url} is not one of http or https.`);
  const fetch = limitedFetch((id) => {
    if (id === undefined) broken();
    else transport.onmessage?.(tooLargeFor(id));
  });
  const login = ports.signIn && new StoredLogin(ports.signIn);
  const options = {
    fetch,
    requestInit: { headers: { ...reach.headers } },
    // Without a login, the first refusal is final: no client is registered before the user wants to sign in.
    ...(login && (await login.exists()) && { authProvider: login }),
  };
  const transport =
    kind === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
  const terminate =
    transport instanceof StreamableHTTPClientTransport ? () => withinMoment(transport.terminateSession()) : undefined;
  return { transport, ...(terminate && { terminate }) };
}

function stdioTransport(
  name: string,
  { command, args, env, cwd }: Extract<ServerReach, { kind: 'stdio' }>,
  { environment, folder, log, confinement }: ConnectionPorts,
): MadeTransport {
  let budget = MAX_LOGGED;
  const logError = (line: string): void => {
    if (budget <= 0) return;
    budget -= line.length;
    log.info(budget > 0 ? `[mcp ${name}] ${line}` : `[mcp ${name}] It writes so much that the rest is left out.`);
  };
  const program = {
    file: command,
    args,
    folder: cwd === undefined || isAbsolute(cwd) ? (cwd ?? folder) : resolve(folder, cwd),
    environment: { ...environment, ...env },
  };
  const start = { ...(confinement?.wrap(program) ?? program), maxLineBytes: MAX_SERVER_MESSAGE_BYTES };
  const transport = new StdioTransport((listeners) => {
    const started = startLineProcess(start, listeners);
    void started.ended.then(() => confinement?.release());
    return started;
  }, logError);
  return { transport, whyEnded: () => [transport.whyEnded(), ...(confinement ? [CONFINED] : [])].join('\n') };
}

/** Suggests settings for the sandbox, because people know their servers better than we do. */
const CONFINED =
  'It ran in the sandbox. If it needs more than that, its definition can say so: ' +
  '"sandbox": {"folders": ["~/.cache/x"]}, or "sandbox": false.';

/** The limit for the logged stderr of one process, in characters. */
const MAX_LOGGED = 200_000;

/** How long to wait for a server to confirm that the session is over. */
const GOODBYE_MS = 1_000;

async function withinMoment(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** Older servers only support the address that streams events, and respond to a request in one of these ways. */
export function speaksOnlyEvents({ kind, message }: RequestFailure): boolean {
  return kind !== 'sign-in' && kind !== 'timeout' && /Error POSTing|Unexpected content type|SSE/i.test(message);
}

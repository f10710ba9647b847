import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  ClientRequest,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { isIP, type Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { connectPinned, type Resolve, resolveWithSystem } from '../tools/web/pinned-socket.ts';
import { isPrivateAddress, isPublicAddress } from '../tools/web/public-address.ts';
import { type HostRule, type HostTarget, hostRule, readTarget, targetText, targetUrl } from './host-rules.ts';

/** What one command may reach, identified by a credential that only this command has. */
export interface ProxyLease {
  /** The password in the proxy's URL. */
  readonly credential: string;
  /** Hosts that the command requested and no rule allows, in the form of a rule. */
  readonly refused: readonly string[];
  /** Also closes the command's connections. */
  end(): void;
}

interface Lease extends ProxyLease {
  readonly rules: readonly HostRule[];
  readonly refused: string[];
  readonly sockets: Set<Duplex>;
}

interface Admitted {
  readonly target: HostTarget;
  readonly addresses: readonly string[];
}

interface Refusal {
  readonly status: 400 | 403 | 407 | 502;
  readonly text: string;
}

export const PROXY_USER = 'gantry';

const MAX_HEADER_BYTES = 16 * 1024;
const HEADERS_MS = 10_000;
const CONNECT_MS = 30_000;
/** For all commands of a window together. Package managers open about fifty connections at a time. */
const MAX_CONNECTIONS = 512;
const MAX_REFUSED = 20;

const REASONS: Readonly<Record<Refusal['status'], string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
};

/**
 * The only way out of the sandbox: tunnels for TLS, which it doesn't decrypt, and plain HTTP. A host is allowed by its
 * name, resolved once, and connected to at exactly the addresses that were found and checked.
 */
export class NetworkProxy {
  private readonly leases = new Map<string, Lease>();
  private readonly server: Server;

  constructor(private readonly resolve: Resolve = resolveWithSystem) {
    const limits = { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_MS, requestTimeout: 0 };
    this.server = createServer(limits, (request, response) => void this.forward(request, response));
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.on('connect', (request, client, head) => void this.tunnel(request, client, head));
    this.server.on('clientError', (_error, client) => client.destroy());
  }

  /** Listens on a socket file, or on a port of this machine. Resolves with the port, or 0 for a file. */
  async listen(where: { readonly path: string } | { readonly host: string; readonly port: number }): Promise<number> {
    this.server.listen(where);
    await once(this.server, 'listening');
    this.server.on('error', () => undefined);
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  lease(rules: readonly HostRule[]): ProxyLease {
    const lease: Lease = {
      credential: randomBytes(24).toString('hex'),
      rules,
      refused: [],
      sockets: new Set(),
      end: () => {
        this.leases.delete(lease.credential);
        for (const socket of lease.sockets) socket.destroy();
      },
    };
    this.leases.set(lease.credential, lease);
    return lease;
  }

  dispose(): void {
    for (const lease of this.leases.values()) lease.end();
    this.server.close();
    this.server.closeAllConnections();
  }

  private async tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    const outcome = await this.admit(request.headers, client, readTarget(request.url ?? '', 443));
    if (client.destroyed) return;
    if ('status' in outcome) return void client.end(rawAnswer(outcome));
    const upstream = dial(outcome);
    client.once('close', () => upstream.destroy());
    const failed = (): void => void client.end(rawAnswer(unreachable(outcome.target)));
    upstream.once('error', failed);
    upstream.once('connect', () => {
      upstream.off('error', failed);
      upstream.on('error', () => client.destroy());
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      pipeline(client, upstream, client, () => {
        client.destroy();
        upstream.destroy();
      });
    });
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = plainUrl(request.url ?? '');
    const outcome = await this.admit(request.headers, request.socket, url && readTarget(url.host, 80));
    if (request.socket.destroyed) return;
    if ('status' in outcome || !url) return answer(response, 'status' in outcome ? outcome : UNREADABLE);
    try {
      const onward = new ClientRequest({
        protocol: 'http:',
        ...(request.method !== undefined && { method: request.method }),
        path: `${url.pathname}${url.search}`,
        setHost: false,
        headers: { ...endToEnd(request.headers), host: url.host },
        createConnection: () => dial(outcome),
      });
      const failed = (): void =>
        response.headersSent ? void response.destroy() : answer(response, unreachable(outcome.target));
      onward.on('error', failed);
      onward.on('response', (incoming) => {
        const { 'transfer-encoding': _framing, ...headers } = endToEnd(incoming.headers);
        response.writeHead(incoming.statusCode ?? 502, headers);
        pipeline(incoming, response, () => undefined);
      });
      response.on('close', () => onward.destroy());
      pipeline(request, onward, () => undefined);
    } catch {
      // Node refuses to send one of the headers.
      answer(response, UNREADABLE);
    }
  }

  /** Checks the credential and whether a rule allows the host, and resolves its addresses. Never rejects. */
  private async admit(
    headers: IncomingHttpHeaders,
    client: Duplex,
    target: HostTarget | undefined,
  ): Promise<Admitted | Refusal> {
    const lease = this.leases.get(credentialIn(headers));
    if (!lease) return { status: 407, text: 'Only commands in the sandbox of Gantry may use this proxy.' };
    // One connection may be used for several requests.
    if (!lease.sockets.has(client)) client.once('close', () => lease.sockets.delete(client));
    lease.sockets.add(client);
    if (!target) return UNREADABLE;
    const rule = hostRule(target, lease.rules);
    if (!rule) {
      const name = targetText(target);
      if (lease.refused.length < MAX_REFUSED && !lease.refused.includes(name)) lease.refused.push(name);
      return { status: 403, text: `The sandbox of Gantry does not let this command reach ${name}.` };
    }
    const { host } = target;
    const addresses = isIP(host) === 0 ? await this.resolve(host).catch(() => []) : [host];
    if (addresses.length === 0) return unreachable(target);
    if (addresses.every((address) => isWhatWasMeant(address, rule))) return { target, addresses };
    return { status: 403, text: `${host} leads to an address that its rule is not about.` };
  }
}

/**
 * A rule with a name allows addresses of the internet, and of the private network if it names exactly this host. This
 * machine and a cloud's metadata service require a rule with their address, or `localhost`, because the owner of a name
 * decides where it leads.
 */
function isWhatWasMeant(address: string, { host, isWildcard }: HostRule): boolean {
  if (isPublicAddress(address)) return true;
  if (isWildcard) return false;
  if (isIP(host) !== 0) return address === host;
  return host === 'localhost' ? /^127\.|^::1$/.test(address) : isPrivateAddress(address);
}

function dial({ target, addresses }: Admitted): Socket {
  const socket = connectPinned(targetUrl(target), addresses);
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error('It took too long.')));
  socket.once('connect', () => socket.setTimeout(0));
  return socket;
}

function credentialIn({ 'proxy-authorization': value = '' }: IncomingHttpHeaders): string {
  const [, encoded = ''] = /^basic ([a-z0-9+/=]+)$/i.exec(value) ?? [];
  const [user, credential = ''] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
  return user === PROXY_USER ? credential : '';
}

function plainUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' ? url : undefined;
}

/** Hop-by-hop headers: they are for the proxy, not for the host. */
const BETWEEN_US: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !BETWEEN_US.has(name) && !named.has(name)));
}

const UNREADABLE: Refusal = { status: 400, text: 'This is no request to a host that a proxy could make.' };

function unreachable(target: HostTarget): Refusal {
  return { status: 502, text: `${targetText(target)} is allowed and cannot be reached.` };
}

function headersOf({ status }: Refusal): Record<string, string> {
  return {
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
    ...(status === 407 && { 'proxy-authenticate': 'Basic realm="Gantry"' }),
  };
}

function answer(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, headersOf(refusal)).end(`${refusal.text}\n`);
}

function rawAnswer(refusal: Refusal): string {
  const body = `${refusal.text}\n`;
  const headers = { ...headersOf(refusal), 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${refusal.status} ${REASONS[refusal.status]}`, ...lines, '', body].join('\r\n');
}

import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SignInBrowser } from '../../../extension/mcp/connection-types.ts';
import type { McpLoginStore } from '../../../extension/ports/host.ts';
import { type HttpMcpServer, startHttpMcp } from './http-server.ts';

export interface GuardedSite extends HttpMcpServer {
  /** All requests except those to the server itself, such as "POST /register". */
  readonly story: string[];
  /** Invalidates issued tokens. */
  expire(what: 'access' | 'all'): void;
  /** A user who agrees to everything. `change` simulates somebody who tampers with the redirect. */
  browser(change?: { readonly state: string }): SignInBrowser;
}

/** The sample server behind an OAuth server that validates everything it should. */
export async function startGuardedSite(): Promise<GuardedSite> {
  const story: string[] = [];
  const access = new Set<string>();
  const renewals = new Set<string>();
  const challenges = new Map<string, string>();
  const clients = new Set<string>();
  const give = (): Record<string, unknown> => {
    const [token, renewal] = [randomUUID(), randomUUID()];
    access.add(token);
    renewals.add(renewal);
    return { access_token: token, refresh_token: renewal, token_type: 'Bearer', expires_in: 3600 };
  };
  const answers: Record<string, (origin: string, body: string) => [number, unknown]> = {
    'GET /.well-known/oauth-protected-resource/mcp': (origin) => [
      200,
      { resource: `${origin}/mcp`, authorization_servers: [origin] },
    ],
    'GET /.well-known/oauth-authorization-server': (origin) => [200, metadata(origin)],
    'POST /register': (_, body) => {
      const id = randomUUID();
      clients.add(id);
      return [201, { ...JSON.parse(body), client_id: id }];
    },
    'POST /token': (_, body) => {
      const form = new URLSearchParams(body);
      if (!clients.has(form.get('client_id') ?? '')) return [401, { error: 'invalid_client' }];
      if (form.get('grant_type') === 'refresh_token') {
        return renewals.delete(form.get('refresh_token') ?? '') ? [200, give()] : [400, { error: 'invalid_grant' }];
      }
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      return challenges.get(form.get('code') ?? '') === proof ? [200, give()] : [400, { error: 'invalid_grant' }];
    },
  };
  const before = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const origin = `http://${request.headers.host}`;
    if (request.url === '/mcp') {
      if (access.has(request.headers.authorization?.replace(/^Bearer /, '') ?? '')) return false;
      const where = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      response.writeHead(401, { 'www-authenticate': where }).end();
      return true;
    }
    const asked = `${request.method} ${request.url}`;
    story.push(asked);
    const [status, body] = answers[asked]?.(origin, await textOf(request)) ?? [404, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return true;
  };
  const site = await startHttpMcp({ before });
  return {
    ...site,
    story,
    expire: (what) => {
      access.clear();
      if (what === 'all') renewals.clear();
    },
    browser: (change) => ({
      redirectUrl: 'http://127.0.0.1:7777/callback',
      authorize: (url) => {
        const { searchParams: asked } = new URL(url);
        const code = randomUUID();
        if (asked.get('code_challenge_method') === 'S256') challenges.set(code, asked.get('code_challenge') ?? '');
        return Promise.resolve({ code, state: asked.get('state') ?? '', ...change });
      },
    }),
  };
}

function metadata(origin: string): unknown {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export interface MemoryLogins extends McpLoginStore {
  readonly texts: Map<string, string>;
}

export function memoryLogins(): MemoryLogins {
  const texts = new Map<string, string>();
  return {
    texts,
    read: (key) => Promise.resolve(texts.get(key)),
    write: (key, text) => {
      if (text === undefined) texts.delete(key);
      else texts.set(key, text);
      return Promise.resolve();
    },
  };
}

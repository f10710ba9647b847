import { createHash, createVerify, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';

export interface TokenRequest {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}

type Reply = (request: TokenRequest, response: ServerResponse) => void;

/**
 * An authorisation server, a token endpoint and the metadata server of a machine, on one loopback port. Tokens are
 * numbered: `access-1`, `access-2`, …; codes work once and only with their verifier.
 */
export class OAuthServer {
  readonly tokenRequests: TokenRequest[] = [];
  readonly pages: URL[] = [];
  readonly metadataRequests: string[] = [];
  /** The lifetime of tokens, in seconds. */
  lifetime = 3600;
  /** The audience of the id token, if one is issued. */
  audience: string | undefined;
  account = 'ada@example.com';
  rotates = false;
  /** The public key of a service account. Assertions that it did not sign are refused. */
  publicKey: KeyObject | undefined;
  private readonly replies: Reply[] = [];
  private readonly codes = new Map<string, URL>();
  private issued = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OAuthServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const oauth = new OAuthServer(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => void oauth.serve(request, response));
    return oauth;
  }

  get tokenUrl(): string {
    return `${this.url}/token`;
  }

  get authorizationUrl(): string {
    return `${this.url}/authorize?hl=en`;
  }

  /** The host in the format of `GCE_METADATA_HOST`. */
  get host(): string {
    return new URL(this.url).host;
  }

  /** Refuses the next token request with this response. */
  refuse(status: number, error: string, description = '', headers: Readonly<Record<string, string>> = {}): void {
    this.replies.push((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ error, error_description: description }));
    });
  }

  redirect(location: string): void {
    this.replies.push((_, response) => response.writeHead(307, { location }).end());
  }

  /** Holds the next token request until the returned function is called. */
  hold(): () => void {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.replies.push((request, response) => void opened.then(() => this.grant(request, response)));
    return open;
  }

  /** Acts as the browser: the user agrees and is redirected to the URL in the page. */
  agree(page: string): URL {
    const url = new URL(page);
    this.pages.push(url);
    const code = `code/${this.pages.length}+x`;
    this.codes.set(code, url);
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    back.searchParams.set('code', code);
    return back;
  }

  async dispose(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close').catch(() => undefined);
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(message.url ?? '/', this.url);
    if (pathname.startsWith('/computeMetadata/')) return this.metadata(message, response);
    const form = Object.fromEntries(new URLSearchParams(await readText(message)));
    const request = { path: pathname, form };
    this.tokenRequests.push(request);
    const reply = this.replies.shift();
    if (reply) reply(request, response);
    else this.grant(request, response);
  }

  private metadata(message: IncomingMessage, response: ServerResponse): void {
    this.metadataRequests.push(message.url ?? '');
    const flavor = { 'metadata-flavor': 'Google' };
    if (message.headers['metadata-flavor'] !== 'Google') return void response.writeHead(403, flavor).end();
    const isToken = (message.url ?? '').includes('/service-accounts/default/token');
    response.writeHead(200, { ...flavor, 'content-type': 'application/json' });
    response.end(isToken ? JSON.stringify(this.tokens()) : '{}');
  }

  private grant({ form }: TokenRequest, response: ServerResponse): void {
    const problem = this.problemWith(form);
    response.writeHead(problem ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(problem ? { error: problem } : this.tokensFor(form)));
  }

  private problemWith(form: TokenRequest['form']): string | undefined {
    if (form['grant_type'] === 'authorization_code') {
      const page = this.codes.get(form['code'] ?? '');
      this.codes.delete(form['code'] ?? '');
      const challenge = createHash('sha256')
        .update(form['code_verifier'] ?? '')
        .digest('base64url');
      const fits =
        page?.searchParams.get('code_challenge') === challenge &&
        page.searchParams.get('redirect_uri') === form['redirect_uri'];
      return fits ? undefined : 'invalid_grant';
    }
    if (form['grant_type'] === 'refresh_token') return form['refresh_token'] ? undefined : 'invalid_request';
    const [head, payload, signature] = (form['assertion'] ?? '').split('.');
    const signed = createVerify('RSA-SHA256').update(`${head}.${payload}`);
    const isSigned = this.publicKey && signed.verify(this.publicKey, signature ?? '', 'base64url');
    return isSigned ? undefined : 'invalid_grant';
  }

  private tokensFor(form: TokenRequest['form']): object {
    const first = form['grant_type'] === 'authorization_code';
    const claims = { aud: this.audience ?? form['client_id'], email: this.account };
    const audience = audienceOf(form['assertion']);
    // An assertion that names an audience asks for an identity token, and gets nothing else.
    if (audience !== undefined) return { id_token: `e30.${base64({ aud: audience })}.x` };
    const idToken = `e30.${base64(claims)}.x`;
    return {
      ...this.tokens(),
      ...(first && { id_token: idToken }),
      ...((first || this.rotates) && { refresh_token: `refresh-${this.issued}` }),
    };
  }

  private tokens(): object {
    this.issued += 1;
    return { access_token: `access-${this.issued}`, expires_in: this.lifetime, token_type: 'Bearer' };
  }
}

function base64(claims: object): string {
  return Buffer.from(JSON.stringify(claims)).toString('base64url');
}

function audienceOf(assertion = ''): string | undefined {
  const payload = Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString();
  return payload === '' ? undefined : JSON.parse(payload).target_audience;
}

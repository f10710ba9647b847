import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import {
  type OAuthClientInformationMixed,
  OAuthClientInformationSchema,
  type OAuthClientMetadata,
  OAuthMetadataSchema,
  OAuthProtectedResourceMetadataSchema,
  type OAuthTokens,
  OAuthTokensSchema,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import * as z from 'zod';
import type { AuthorizationServer, SignInPort } from './connection-types.ts';

const stored = z.object({
  client: OAuthClientInformationSchema.extend({ issuer: z.string().optional() }).optional(),
  tokens: OAuthTokensSchema.optional(),
  /** Where the user signed in. */
  server: z
    .object({
      authorizationServerUrl: z.string(),
      authorizationServerMetadata: OAuthMetadataSchema.optional(),
      resourceMetadata: OAuthProtectedResourceMetadataSchema.optional(),
    })
    .optional(),
});
type Stored = z.infer<typeof stored>;

/** A placeholder that is never used: without a browser, there is no redirect. */
const NOWHERE = 'http://127.0.0.1/';

/** The SDK's interface for signing in to one server. Everything that is stored is one secret. */
export class StoredLogin implements OAuthClientProvider {
  private verifier = '';
  /** The page that the user must open, once the SDK has found it. */
  page: string | undefined;
  private expectedState = '';
  /** Whether a client was registered during this sign-in. */
  private isRegistered = false;
  /** The authorization server that this sign-in uses. */
  private server: OAuthDiscoveryState | undefined;

  constructor(private readonly port: SignInPort) {}

  /** Whether there is a stored login to try. */
  async exists(): Promise<boolean> {
    return (await this.read()).tokens !== undefined;
  }

  get redirectUrl(): string {
    return this.port.browser?.redirectUrl ?? NOWHERE;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.port;
    return {
      client_name: 'Gantry',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: this.port.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(scopes && { scope: scopes.join(' ') }),
    };
  }

  state(): string {
    this.expectedState = randomBytes(24).toString('base64url');
    return this.expectedState;
  }

  /** A redirect from another page has another state. */
  isExpected(state: string): boolean {
    const [given, expected] = [Buffer.from(state), Buffer.from(this.expectedState)];
    return expected.length > 0 && given.length === expected.length && timingSafeEqual(given, expected);
  }

  async clientInformation(): Promise<OAuthClientInformationMixed | undefined> {
    const { clientId, clientSecret, browser } = this.port;
    if (clientId !== undefined) {
      return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    }
    const { client } = await this.read();
    // A registration is only valid for one redirect URL, and the next sign-in has another one.
    return browser && !this.isRegistered ? undefined : client;
  }

  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    this.isRegistered = true;
    await this.write({ ...(await this.read()), client });
  }

  async tokens(): Promise<OAuthTokens | undefined> {
    // While the user signs in, an old login is replaced instead of renewed.
    return this.port.browser ? undefined : (await this.read()).tokens;
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    const { refresh_token: earlier } = (await this.read()).tokens ?? {};
    const kept = tokens.refresh_token ?? (this.port.browser ? undefined : earlier);
    const { server } = this;
    const there = server && this.port.staysThere && { server: stored.shape.server.parse(server) };
    await this.write({ ...(await this.read()), ...there, tokens: { ...tokens, ...(kept && { refresh_token: kept }) } });
  }

  async discoveryState(): Promise<OAuthDiscoveryState | undefined> {
    const { browser, staysThere, authorization } = this.port;
    this.server ??= !browser && staysThere ? discovered((await this.read()).server) : configured(authorization);
    return this.server;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.server = state;
  }

  redirectToAuthorization(url: URL): void {
    const { audiences = [] } = this.port;
    if (audiences.length > 0) url.searchParams.set('audience', audiences.join(' '));
    this.page = url.href;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    const { client, tokens, server } = await this.read();
    if (scope === 'all') await this.write({});
    if (scope === 'client') await this.write({ tokens, server });
    if (scope === 'tokens') await this.write({ client, server });
  }

  /** An invalid entry counts as no login. */
  private async read(): Promise<Stored> {
    const text = await this.port.store.read(this.port.key);
    if (text === undefined) return {};
    try {
      return stored.parse(JSON.parse(text));
    } catch {
      return {};
    }
  }

  private write(login: Stored): Promise<void> {
    return this.port.store.write(this.port.key, JSON.stringify(login));
  }
}

function configured(server: AuthorizationServer | undefined): OAuthDiscoveryState | undefined {
  if (!server) return undefined;
  if ('issuer' in server) return { authorizationServerUrl: server.issuer };
  const { authorizationUrl, tokenUrl, registrationUrl } = server;
  // What is stored is bound to this address, so that a refresh token never goes to another one.
  return {
    authorizationServerUrl: tokenUrl,
    authorizationServerMetadata: {
      issuer: tokenUrl,
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
      registration_endpoint: registrationUrl,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    },
  };
}

function discovered(server: Stored['server']): OAuthDiscoveryState | undefined {
  if (!server) return undefined;
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = server;
  return {
    authorizationServerUrl,
    ...(authorizationServerMetadata && { authorizationServerMetadata }),
    ...(resourceMetadata && { resourceMetadata }),
  };
}

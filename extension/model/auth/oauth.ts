import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../runtime/host.ts';
import { parseJson } from '../json.ts';
import { sendForToken, TokenFailureError } from './token-request.ts';

/** Who asks for tokens, and where. */
export interface OAuthClient {
  readonly clientId: string;
  /** Google gives one to desktop clients too, where it is no secret; other services give none. */
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** Everything a model can be asked with, and who signed in. */
export const SCOPES = ['https://www.googleapis.com/auth/cloud-platform', 'openid', 'email'];

/** One attempt to sign in: what only whoever began it knows. */
export interface Attempt {
  readonly state: string;
  readonly verifier: string;
}

export function newAttempt(): Attempt {
  return { state: randomBytes(24).toString('base64url'), verifier: randomBytes(48).toString('base64url') };
}

/** The page the user signs in on. */
export function authorizationPage(client: OAuthClient, redirectUri: string, { state, verifier }: Attempt): string {
  const url = new URL(client.authorizationUrl);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    scope: SCOPES.join(' '),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    // Without these Google gives no refresh token, or none the second time.
    access_type: 'offline',
    prompt: 'consent',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly expiresAt: number;
  readonly refreshToken?: string;
  readonly idToken?: string;
}

export function exchangeCode(
  client: OAuthClient,
  { code, redirectUri, verifier }: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
  clock: Clock,
  signal?: AbortSignal,
): Promise<IssuedTokens> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  return requestTokens(client, form, clock, signal);
}

export function refreshTokens(client: OAuthClient, refreshToken: string, clock: Clock): Promise<IssuedTokens> {
  return requestTokens(client, { grant_type: 'refresh_token', refresh_token: refreshToken }, clock);
}

const issuedSchema = z.looseObject({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.number().positive().catch(3600),
  refresh_token: z.string().min(1).optional(),
  id_token: z.string().optional(),
});

async function requestTokens(
  client: OAuthClient,
  form: Readonly<Record<string, string>>,
  clock: Clock,
  signal?: AbortSignal,
): Promise<IssuedTokens> {
  const { clientId, clientSecret, tokenUrl } = client;
  const body = new URLSearchParams({
    ...form,
    client_id: clientId,
    ...(clientSecret && { client_secret: clientSecret }),
  });
  const asked = clock.now();
  const response = await sendForToken(tokenUrl, { method: 'POST', body, ...(signal && { signal }) }, clock);
  const parsed = issuedSchema.safeParse(parseJson(await response.text()));
  if (!parsed.success) {
    throw new TokenFailureError({ type: 'unreadable', status: response.status }, new URL(tokenUrl).host);
  }
  const { access_token: accessToken, expires_in, refresh_token: refreshToken, id_token: idToken } = parsed.data;
  return {
    accessToken,
    expiresAt: asked + expires_in * 1000,
    ...(refreshToken && { refreshToken }),
    ...(idToken && { idToken }),
  };
}

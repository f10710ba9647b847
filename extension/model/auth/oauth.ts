import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { Clock } from '../../ports/clock.ts';
import { parseJson } from '../json.ts';
import type { OAuthClient } from './oauth-page.ts';
import { sendForToken, TokenFailureError } from './token-request.ts';

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

const issuedSchema = once(() =>
  z.looseObject({
    access_token: z.string().regex(/^[\x21-\x7e]+$/),
    expires_in: z.number().positive().catch(3600),
    refresh_token: z.string().min(1).optional(),
    id_token: z.string().optional(),
  }),
);

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
  const parsed = issuedSchema().safeParse(parseJson(await response.text()));
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

import { createHash, randomBytes } from 'node:crypto';

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

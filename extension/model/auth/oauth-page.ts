import { createHash, randomBytes } from 'node:crypto';

/** The client that requests tokens, and its endpoints. */
export interface OAuthClient {
  readonly clientId: string;
  /** Google issues a client secret to desktop clients too, where it is not confidential; other services issue none. */
  readonly clientSecret: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** Access to models, and the identity of the user. */
export const SCOPES = ['https://www.googleapis.com/auth/cloud-platform', 'openid', 'email'];

/** The secrets of one sign-in attempt, which only this process knows. */
export interface Attempt {
  readonly state: string;
  readonly verifier: string;
}

export function newAttempt(): Attempt {
  return { state: randomBytes(24).toString('base64url'), verifier: randomBytes(48).toString('base64url') };
}

/** The URL of the page on which the user signs in. */
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
    // Without these, Google sends no refresh token, or none on the second sign-in.
    access_type: 'offline',
    prompt: 'consent',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

import type { AuthSettings } from '../../runtime/host.ts';
import type { OAuthClient } from './oauth.ts';
import { filledIn } from './own-headers.ts';

/** The client of the settings. Its secret may be in the environment. */
export function oauthClient(
  { clientId, clientSecret, authorizationUrl, tokenUrl }: AuthSettings,
  environment: Readonly<Record<string, string | undefined>>,
): OAuthClient {
  return { clientId, clientSecret: filledIn(clientSecret, environment), authorizationUrl, tokenUrl };
}

import { errorText } from '../base/errors.ts';
import { defaultCredentials } from '../model/auth/adc.ts';
import { SharedTokens } from '../model/auth/token-source.ts';
import { takesGoogleTokens } from '../model/base-url.ts';
import type { Clock } from '../ports/clock.ts';
import type { GoogleToken } from './agent-credentials.ts';
import { RemoteFailure } from './remote-failure.ts';

/**
 * Google's tokens for remote agents. Cloud Run gets an identity token that is only valid for the one service, because
 * anybody can have a service there. Google's own APIs get an access token, and nobody else gets one.
 */
export function googleTokens(environment: Readonly<Record<string, string | undefined>>, clock: Clock): GoogleToken {
  const sources = new Map<string, SharedTokens>();
  return async (url, scopes, signal) => {
    const wanted = isCloudRun(url) ? { audience: url.origin } : { scopes };
    if (!('audience' in wanted) && !takesGoogleTokens(url.href))
      throw new RemoteFailure('credentials', `${url.host} is not an address of Google, so it gets no Google token.`);
    const key = JSON.stringify(wanted);
    const source = sources.get(key) ?? new SharedTokens(defaultCredentials(environment, clock, wanted), clock);
    sources.set(key, source);
    try {
      return (await source.current(signal)).value;
    } catch (error) {
      signal.throwIfAborted();
      throw new RemoteFailure('credentials', `Google gave no token for it: ${errorText(error)}`, { cause: error });
    }
  };
}

function isCloudRun({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' && hostname.endsWith('.run.app');
}

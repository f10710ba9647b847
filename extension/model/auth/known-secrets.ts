import type { Host } from '../../ports/host.ts';
import type { AuthSettings, TelemetrySettings } from '../../ports/settings.ts';
import { parseLogin } from './login.ts';
import { filledIn, headerSecrets, headerVariables, ownHeaders } from './own-headers.ts';

type Secretive = Pick<Host, 'secrets' | 'settings' | 'environment'>;

/** The user's own keys and tokens that are stored or set in the environment. */
export async function knownSecrets({ secrets, settings, environment }: Secretive): Promise<string[]> {
  const { GEMINI_API_KEY, GOOGLE_API_KEY } = environment;
  const login = secrets.login && parseLogin(await secrets.login.read());
  const auth = settings.auth?.();
  const headers = [auth?.headers, settings.telemetry?.().headers].map((each) => ownHeaders(each ?? {}, environment));
  return [
    await secrets.apiKey(),
    GEMINI_API_KEY,
    GOOGLE_API_KEY,
    login?.accessToken,
    login?.refreshToken,
    filledIn(auth?.clientSecret ?? '', environment),
    ...headers.flatMap((own) => ('headers' in own ? headerSecrets(own.headers) : [])),
  ].flatMap((secret) => secret || []);
}

/** The environment without the variables that Gantry's settings name as holding secrets. */
export function withoutOwnSecrets(
  environment: Host['environment'],
  auth: AuthSettings | undefined,
  telemetry: TelemetrySettings | undefined,
): Host['environment'] {
  const headers = [auth?.headers, telemetry?.headers].flatMap((each) => Object.values(each ?? {}));
  const named = [...headers, auth?.clientSecret ?? ''].flatMap(headerVariables);
  if (named.length === 0) return environment;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !named.includes(name)));
}

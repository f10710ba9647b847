import * as l10n from '@vscode/l10n';
import type { AuthSettings } from '../../ports/settings.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import { carriesKeyInTheClear } from '../base-url.ts';
import { badConfiguration } from './configuration-problem.ts';
import type { OAuthClient } from './oauth-page.ts';
import { filledIn } from './own-headers.ts';

/** Reports settings that cannot work, or that would send a code or a token over plain http. */
export function oauthProblem({ authorizationUrl, tokenUrl }: AuthSettings): Problem | undefined {
  const addresses = { authorizationUrl, tokenUrl };
  for (const [name, value] of Object.entries(addresses)) {
    const isUrl = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
    const wrong = !isUrl
      ? l10n.t('is not an http or https URL')
      : carriesKeyInTheClear(value)
        ? l10n.t('is not https')
        : undefined;
    if (wrong)
      return badConfiguration(
        l10n.t('Signing in is not possible'),
        `gantry.auth.${name} ${wrong}`,
        l10n.t('Correct the setting, then sign in again'),
      );
  }
  return undefined;
}

/** Reads the client from the settings. Its secret may be in the environment. */
export function oauthClient(
  { clientId, clientSecret, authorizationUrl, tokenUrl }: AuthSettings,
  environment: Readonly<Record<string, string | undefined>>,
): OAuthClient {
  return { clientId, clientSecret: filledIn(clientSecret, environment), authorizationUrl, tokenUrl };
}

import * as l10n from '@vscode/l10n';
import type { Host } from '../../ports/host.ts';
import { exchangeProblem, notExchanged } from './auth-problem.ts';
import { claimsOf, loginOf } from './login.ts';
import { exchangeCode } from './oauth.ts';
import { oauthClient } from './oauth-client.ts';

/** The browser's response, together with the values it was opened with. */
export interface SignInAnswer {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

export interface NewLogin {
  /** The login to store as it is. It must not be shown. */
  readonly secret: string;
  /** The signed-in account, for display. */
  readonly account?: string;
}

/** Exchanges the code for tokens. Rejects with a `ProblemError`. */
export async function newLogin(
  { settings, environment, clock }: Pick<Host, 'settings' | 'environment' | 'clock'>,
  answer: SignInAnswer,
  signal: AbortSignal,
): Promise<NewLogin> {
  const auth = settings.auth?.();
  if (!auth) throw notExchanged(l10n.t('No settings are available for it here'));
  const client = oauthClient(auth, environment);
  const issued = await exchangeCode(client, answer, clock, signal).catch((error: unknown) => {
    throw exchangeProblem(error);
  });
  const audience = claimsOf(issued.idToken)?.aud ?? client.clientId;
  if (![audience].flat().includes(client.clientId)) {
    throw notExchanged(l10n.t('The token is for another application than gantry.auth.clientId, so it was not kept'));
  }
  const login = loginOf(client, issued);
  if (!login) throw notExchanged(l10n.t('The token endpoint did not issue a refresh token'));
  return { secret: JSON.stringify(login), ...(login.account && { account: login.account }) };
}

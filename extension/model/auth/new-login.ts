import * as l10n from '@vscode/l10n';
import type { Host } from '../../ports/host.ts';
import { exchangeProblem } from './auth-problem.ts';
import { claimsOf, loginOf } from './login.ts';
import { exchangeCode } from './oauth.ts';
import { oauthClient } from './oauth-client.ts';
import { notExchanged } from './sign-in-problem.ts';

/** What a browser came back with, and what it was sent there with. */
export interface SignInAnswer {
  readonly code: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

export interface NewLogin {
  /** To be stored as it is, and shown to nobody. */
  readonly secret: string;
  /** Who signed in, for people. */
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

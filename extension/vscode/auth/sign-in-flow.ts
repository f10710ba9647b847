import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { notExchanged, plain } from '../../model/auth/auth-problem.ts';
import { noClientId } from '../../model/auth/credential-problem.ts';
import type { NewLogin, SignInAnswer } from '../../model/auth/new-login.ts';
import { oauthClient, oauthProblem } from '../../model/auth/oauth-client.ts';
import { authorizationPage, newAttempt, type OAuthClient } from '../../model/auth/oauth-page.ts';
import { currentCredential, type ModelHost } from '../../model/catalog/describe-model.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { Settings } from '../names.ts';
import { saveSetting } from '../settings.ts';
import { awaitReturn, inBrowser, openPage } from './browser-return.ts';
import type { SignInLinks } from './sign-in-links.ts';
import type { GoogleLogin } from './stored-logins.ts';

export interface SignInParts {
  readonly login: GoogleLogin;
  readonly host: ModelHost;
  /** Exchanges the browser's answer for a login. */
  readonly exchange: (answer: SignInAnswer, signal: AbortSignal) => Promise<NewLogin>;
  readonly links: SignInLinks;
}

/** Opens the browser and waits for the sign-in to complete. Does nothing if the user cancels. */
export async function signIn(parts: SignInParts, signal: AbortSignal): Promise<void> {
  const client = checkedClient(parts.host);
  const title = l10n.t('Gantry: Sign in with Google in the browser…');
  const made = await inBrowser({ title, notInTime: notExchanged }, signal, (leaving) =>
    throughBrowser(client, parts, leaving),
  );
  if (!made) return;
  await parts.login.keep(made.secret);
  // A stored key or a base URL would otherwise take precedence.
  if ((await currentCredential(parts.host)).kind !== 'login') await saveSetting(Settings.authMethod, 'google');
  const text =
    made.account === undefined
      ? l10n.t('Gantry is signed in with Google.')
      : l10n.t('Gantry is signed in with Google as {0}.', made.account);
  void vscode.window.showInformationMessage(withoutLinks(text));
}

export async function signOut(login: GoogleLogin, { settings }: ModelHost): Promise<void> {
  if ((await login.read()) === undefined) {
    void vscode.window.showInformationMessage(l10n.t('Gantry is not signed in with Google.'));
    return;
  }
  await login.forget();
  if (settings.authMethod() === 'google') await saveSetting(Settings.authMethod, undefined);
  void vscode.window.showInformationMessage(
    l10n.t(
      "You are signed out, and the tokens are deleted. To revoke Gantry's access to your account, go to myaccount.google.com/connections.",
    ),
  );
}

function checkedClient({ settings, environment }: ModelHost): OAuthClient {
  const auth = settings.auth?.();
  if (!auth?.clientId) throw new ProblemError(noClientId(l10n.t('Then sign in again')));
  const problem = oauthProblem(auth);
  if (problem) throw new ProblemError(problem);
  return oauthClient(auth, environment);
}

async function throughBrowser(
  client: OAuthClient,
  { links, exchange }: SignInParts,
  signal: AbortSignal,
): Promise<NewLogin | undefined> {
  const attempt = newAttempt();
  const { redirectUri, answer, dispose } = await awaitReturn(() => attempt.state, links, signal);
  try {
    const page = authorizationPage(client, redirectUri, attempt);
    if (!(await openPage(page))) return undefined;
    const answered = await answer;
    if ('error' in answered) throw notExchanged(l10n.t('The page answered {0}', plain(answered.error)));
    return await exchange({ code: answered.code, redirectUri, verifier: attempt.verifier }, signal);
  } finally {
    dispose();
  }
}

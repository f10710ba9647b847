import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { NewLogin, SignInAnswer } from '../../model/auth/new-login.ts';
import { oauthClient, oauthProblem } from '../../model/auth/oauth-client.ts';
import { authorizationPage, newAttempt, type OAuthClient } from '../../model/auth/oauth-page.ts';
import { notExchanged, plain } from '../../model/auth/sign-in-problem.ts';
import { noClientId } from '../../model/credential-problem.ts';
import { currentCredential, type ModelHost } from '../../model/describe-model.ts';
import { ProblemError } from '../../protocol/problem.ts';
import { EXTENSION_ID, Settings } from '../names.ts';
import { withoutLinks } from '../plain-words.ts';
import { saveSetting } from '../settings.ts';
import { type CallbackAnswer, listenForCallback, readCallback } from './callback.ts';
import type { GoogleLogin } from './google-login.ts';
import { SIGNED_IN_PATH } from './sign-in.ts';

export interface SignInParts {
  readonly login: GoogleLogin;
  readonly host: ModelHost;
  /** Exchanges what the browser brings back. */
  readonly exchange: (answer: SignInAnswer, signal: AbortSignal) => Promise<NewLogin>;
  /** Queries of links that lead back to signing in. */
  readonly links: vscode.Event<string>;
}

/** Long enough to find a password; then the port is closed. */
const TIMEOUT_MS = 5 * 60_000;

/** Sends the user to the browser and waits for them to come back. Silent when they do not want to any more. */
export async function signIn(parts: SignInParts, signal: AbortSignal): Promise<void> {
  const client = checkedClient(parts.host);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: l10n.t('Gantry: sign in with Google in the browser…'),
    cancellable: true,
  };
  const made = await vscode.window.withProgress(options, async (_, token) => {
    const cancelled = new AbortController();
    const listening = token.onCancellationRequested(() => cancelled.abort());
    const leaving = AbortSignal.any([signal, cancelled.signal]);
    const late = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await throughBrowser(client, parts, AbortSignal.any([leaving, late]));
    } catch (error) {
      if (leaving.aborted) return undefined;
      throw late.aborted ? notExchanged(l10n.t('Nobody came back from the browser in time')) : error;
    } finally {
      listening.dispose();
    }
  });
  if (!made) return;
  await parts.login.keep(made.secret);
  // A stored key or a base URL would go before it.
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
      'Gantry is signed out, and its tokens are deleted. What Gantry may do with your account can be withdrawn at myaccount.google.com/connections.',
    ),
  );
}

function checkedClient({ settings, environment }: ModelHost): OAuthClient {
  const auth = settings.auth?.();
  if (!auth?.clientId) throw new ProblemError(noClientId());
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
  const { redirectUri, answer, dispose } = await openCallback(attempt.state, links, signal);
  answer.catch(() => undefined);
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

/** A string is opened as it is; a `Uri`, which the type wants, has forgotten which `&` were part of a value. */
function openPage(page: string): Thenable<boolean> {
  return vscode.env.openExternal(page as unknown as vscode.Uri);
}

interface Callback {
  readonly redirectUri: string;
  readonly answer: Promise<CallbackAnswer>;
  readonly dispose: () => void;
}

/**
 * A port of this machine where the browser can reach it, directly or through one that VS Code forwards; that is what
 * Google wants of a desktop client. Where VS Code itself is a page in a browser, a link into it.
 */
async function openCallback(state: string, links: vscode.Event<string>, signal: AbortSignal): Promise<Callback> {
  if (vscode.env.uiKind === vscode.UIKind.Desktop) {
    const { url, answer, close } = await listenForCallback(state, signal);
    const outside = await vscode.env.asExternalUri(vscode.Uri.parse(url, true));
    if (outside.scheme === 'http' && /^(?:127\.0\.0\.1|localhost):\d+$/.test(outside.authority)) {
      const [, port = ''] = outside.authority.split(':');
      return { redirectUri: `http://127.0.0.1:${port}/`, answer, dispose: close };
    }
    answer.catch(() => undefined);
    close();
  }
  return linkCallback(state, links, signal);
}

async function linkCallback(state: string, links: vscode.Event<string>, signal: AbortSignal): Promise<Callback> {
  const link = vscode.Uri.parse(`${vscode.env.uriScheme}://${EXTENSION_ID}${SIGNED_IN_PATH}`, true);
  const redirectUri = (await vscode.env.asExternalUri(link)).toString(true);
  const { promise, resolve, reject } = pending<CallbackAnswer>();
  const listening = links((query) => {
    // VS Code hands queries over decoded, so that a plus is one.
    const answer = readCallback(query.replaceAll('+', '%2B'), state);
    if (answer) resolve(answer);
  });
  const leave = (): void => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  const dispose = (): void => {
    listening.dispose();
    signal.removeEventListener('abort', leave);
  };
  return { redirectUri, answer: promise, dispose };
}

function pending<T>(): {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
} {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

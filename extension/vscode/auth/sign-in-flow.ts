import * as vscode from 'vscode';
import { signInProblem, wrongAudience } from '../../model/auth/auth-problem.ts';
import { claimsOf, type Login, loginOf } from '../../model/auth/login.ts';
import { authorizationPage, exchangeCode, newAttempt, type OAuthClient } from '../../model/auth/oauth.ts';
import { oauthClient, oauthProblem } from '../../model/auth/oauth-client.ts';
import { noClientId } from '../../model/configuration-problem.ts';
import { ProblemError } from '../../protocol/problem.ts';
import type { AuthSettings } from '../../runtime/host.ts';
import { EXTENSION_ID } from '../names.ts';
import { type CallbackAnswer, listenForCallback, readCallback } from './callback.ts';
import { SIGNED_IN_PATH } from './sign-in.ts';

export interface SignInRequest {
  readonly auth: AuthSettings | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Queries of links that lead back to signing in. */
  readonly links: vscode.Event<string>;
  readonly signal: AbortSignal;
}

/** Long enough to find a password; then the port is closed. */
const TIMEOUT_MS = 5 * 60_000;

/** Sends the user to the browser and waits for them to come back. Undefined when they do not want to any more. */
export async function signInWithBrowser(request: SignInRequest): Promise<Login | undefined> {
  const client = checkedClient(request);
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: 'Gantry: sign in with Google in the browser…',
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const cancelled = new AbortController();
    const listening = token.onCancellationRequested(() => cancelled.abort());
    const leaving = AbortSignal.any([request.signal, cancelled.signal]);
    const late = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await obtainLogin(client, request.links, AbortSignal.any([leaving, late]));
    } catch (error) {
      if (leaving.aborted) return undefined;
      throw signInProblem(late.aborted ? 'late' : error);
    } finally {
      listening.dispose();
    }
  });
}

function checkedClient({ auth, environment }: SignInRequest): OAuthClient {
  if (!auth?.clientId) throw new ProblemError(noClientId());
  const problem = oauthProblem(auth);
  if (problem) throw new ProblemError(problem);
  return oauthClient(auth, environment);
}

async function obtainLogin(
  client: OAuthClient,
  links: vscode.Event<string>,
  signal: AbortSignal,
): Promise<Login | undefined> {
  const attempt = newAttempt();
  const { redirectUri, answer, dispose } = await openCallback(attempt.state, links, signal);
  answer.catch(() => undefined);
  try {
    const page = authorizationPage(client, redirectUri, attempt);
    if (!(await vscode.env.openExternal(vscode.Uri.parse(page, true)))) return undefined;
    const answered = await answer;
    if ('error' in answered) throw signInProblem(answered);
    const { verifier } = attempt;
    const issued = await exchangeCode(
      client,
      { code: answered.code, redirectUri, verifier },
      { now: Date.now },
      signal,
    );
    const audience = claimsOf(issued.idToken)?.aud ?? client.clientId;
    if (![audience].flat().includes(client.clientId)) throw new ProblemError(wrongAudience());
    const login = loginOf(client, issued);
    if (!login) throw signInProblem('no-refresh-token');
    return login;
  } finally {
    dispose();
  }
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

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { EXTENSION_ID } from '../names.ts';
import { type CallbackAnswer, type ExpectedState, listenForCallback, loopbackPlace, readCallback } from './callback.ts';
import { SIGNED_IN_PATH, type SignInLinks } from './sign-in-links.ts';

/** Long enough to look up a password. After that, the port is closed. */
const TIMEOUT_MS = 5 * 60_000;

interface SignInWords {
  readonly title: string;
  /** Makes the error for a sign-in that was not completed in time. `why` is a sentence without its full stop. */
  readonly notInTime: (why: string) => Error;
}

/** Shows progress while the user is in the browser, for at most five minutes. Returns undefined if the user cancels. */
export function inBrowser<Result>(
  { title, notInTime }: SignInWords,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Thenable<Result | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    const cancelled = new AbortController();
    const listening = token.onCancellationRequested(() => cancelled.abort());
    const leaving = AbortSignal.any([signal, cancelled.signal]);
    const late = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await work(AbortSignal.any([leaving, late]));
    } catch (error) {
      if (leaving.aborted) return undefined;
      throw late.aborted ? notInTime(l10n.t('Sign-in was not completed in the browser in time')) : error;
    } finally {
      listening.dispose();
    }
  });
}

/** Passes a string, which VS Code opens unchanged. The `Uri` of the declared type loses which `&` belong to a value. */
export function openPage(page: string): Thenable<boolean> {
  return vscode.env.openExternal(page as unknown as vscode.Uri);
}

/** The address that the browser returns to, and the answer it brings. */
export interface BrowserReturn {
  readonly redirectUri: string;
  readonly answer: Promise<CallbackAnswer>;
  readonly dispose: () => void;
}

/**
 * Listens on a local port if the browser can reach it, directly or through a port that VS Code forwards: Google
 * requires this of desktop clients. If VS Code itself runs in a browser, uses a link into VS Code instead.
 */
export async function awaitReturn(
  state: ExpectedState,
  links: SignInLinks,
  signal: AbortSignal,
  /** The only address that the page may return to, if there is one. */
  wanted?: string,
): Promise<BrowserReturn> {
  if (wanted !== undefined) return returnTo(wanted, state, signal);
  if (vscode.env.uiKind === vscode.UIKind.Desktop) {
    const { url, answer, close } = await listenForCallback(state, signal);
    // Prevents an unhandled rejection if the sign-in is cancelled before there is an answer.
    answer.catch(() => undefined);
    const outside = await vscode.env.asExternalUri(vscode.Uri.parse(url, true));
    if (outside.scheme === 'http' && /^(?:127\.0\.0\.1|localhost):\d+$/.test(outside.authority)) {
      const [, port = ''] = outside.authority.split(':');
      return { redirectUri: `http://127.0.0.1:${port}/`, answer, dispose: close };
    }
    close();
  }
  return returnByLink(state, links, signal);
}

/** Listens at the address that a client is registered with. Rejects with a sentence without its full stop. */
async function returnTo(wanted: string, state: ExpectedState, signal: AbortSignal): Promise<BrowserReturn> {
  const place = loopbackPlace(wanted);
  if (!place) throw new Error(l10n.t('{0} is not an http address of this machine with a port', wanted));
  const { url, answer, close } = await listenForCallback(state, signal, place).catch((error: unknown) => {
    throw new Error(l10n.t('Another program listens at {0}', wanted), { cause: error });
  });
  answer.catch(() => undefined);
  const outside = await vscode.env.asExternalUri(vscode.Uri.parse(url, true));
  if (outside.scheme === 'http' && outside.authority.endsWith(`:${place.port}`)) {
    return { redirectUri: wanted, answer, dispose: close };
  }
  close();
  throw new Error(l10n.t('Your browser runs on another machine, and {0} does not lead from there to here', wanted));
}

async function returnByLink(state: ExpectedState, links: SignInLinks, signal: AbortSignal): Promise<BrowserReturn> {
  const link = vscode.Uri.parse(`${vscode.env.uriScheme}://${EXTENSION_ID}${SIGNED_IN_PATH}`, true);
  const redirectUri = (await vscode.env.asExternalUri(link)).toString(true);
  const { promise, resolve, reject } = pending<CallbackAnswer>();
  promise.catch(() => undefined);
  const listening = links.wait((query) => {
    // VS Code passes queries decoded, so a `+` is a literal plus sign.
    const answer = readCallback(query.replaceAll('+', '%2B'), state());
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

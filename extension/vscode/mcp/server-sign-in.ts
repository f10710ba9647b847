import * as l10n from '@vscode/l10n';
import { errorText } from '../../base/errors.ts';
import type { SignInBrowser } from '../../mcp/connection-types.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import { plain } from '../../model/auth/auth-problem.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import type { RemoteAgents } from '../../remote-agents/remote-agents.ts';
import { awaitReturn, inBrowser, openPage } from '../auth/browser-return.ts';
import type { SignInLinks } from '../auth/sign-in-links.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { agentSignInFailed, isSignInPage, serverSignInFailed } from './sign-in-page.ts';

interface SignIn {
  /** Where the page has to return to; undefined for any address. */
  readonly redirectUri?: string | undefined;
  through(browser: SignInBrowser, signal: AbortSignal): Promise<void>;
}
type Failed = (why: string, cause?: unknown) => ProblemError;

/** Guides the user through the sign-in of a server. Returns false if the user cancels. */
export function signInToServer(
  servers: Pick<McpServers, 'signIn'>,
  name: string,
  links: SignInLinks,
  signal: AbortSignal,
): Promise<boolean> {
  const title = l10n.t('Gantry: Sign in to the MCP server "{0}" in the browser…', name);
  const signIn: SignIn = { through: (browser, leaving) => servers.signIn(name, browser, leaving) };
  return guided(title, signIn, (why, cause) => serverSignInFailed(name, why, cause), links, signal);
}

/** The same for a remote agent. */
export function signInToAgent(
  agents: Pick<RemoteAgents, 'signIn' | 'redirectUri'>,
  name: string,
  links: SignInLinks,
  signal: AbortSignal,
): Promise<boolean> {
  const title = l10n.t('Gantry: Sign in to the remote agent "{0}" in the browser…', name);
  const signIn: SignIn = {
    redirectUri: agents.redirectUri(name),
    through: (browser, leaving) => agents.signIn(name, browser, leaving),
  };
  return guided(title, signIn, (why, cause) => agentSignInFailed(name, why, cause), links, signal);
}

async function guided(
  title: string,
  signIn: SignIn,
  failed: Failed,
  links: SignInLinks,
  signal: AbortSignal,
): Promise<boolean> {
  const telling = { title: withoutLinks(title), notInTime: failed };
  return (await inBrowser(telling, signal, (leaving) => throughBrowser(signIn, failed, links, leaving))) ?? false;
}

async function throughBrowser(
  { redirectUri: wanted, through }: SignIn,
  failed: Failed,
  links: SignInLinks,
  signal: AbortSignal,
): Promise<boolean> {
  let state: string | undefined;
  let isDeclined = false;
  const back = await awaitReturn(() => state, links, signal, wanted).catch((error: unknown) => {
    throw signal.aborted ? error : failed(reasonOf(error), error);
  });
  const { redirectUri: redirectUrl, answer, dispose } = back;
  const authorize = async (page: string): Promise<{ readonly code: string; readonly state: string }> => {
    if (!isSignInPage(page)) throw failed(l10n.t('The address of its sign-in page is not an http or https URL'));
    state = new URL(page).searchParams.get('state') ?? '';
    if (!(await openPage(page))) {
      isDeclined = true;
      throw failed(l10n.t('The page was not opened'));
    }
    const answered = await answer;
    if ('error' in answered) throw failed(l10n.t('The page answered {0}', plain(answered.error)));
    return { code: answered.code, state };
  };
  try {
    await through({ redirectUrl, authorize }, signal);
    return true;
  } catch (error) {
    if (isDeclined) return false;
    throw ProblemError.is(error) || signal.aborted ? error : failed(reasonOf(error), error);
  } finally {
    dispose();
  }
}

function reasonOf(error: unknown): string {
  const text = errorText(error);
  return text.slice(0, 500).replace(/\.$/, '');
}

import * as l10n from '@vscode/l10n';
import { errorText } from '../../base/errors.ts';
import type { McpServers } from '../../mcp/mcp-servers.ts';
import { plain } from '../../model/auth/auth-problem.ts';
import { ProblemError } from '../../protocol/agent/problem.ts';
import { awaitReturn, inBrowser, openPage } from '../auth/browser-return.ts';
import type { SignInLinks } from '../auth/sign-in-links.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { isSignInPage, serverSignInFailed } from './sign-in-page.ts';

/** Guides the user through the sign-in of a server. Returns false if the user cancels. */
export async function signInToServer(
  servers: Pick<McpServers, 'signIn'>,
  name: string,
  links: SignInLinks,
  signal: AbortSignal,
): Promise<boolean> {
  const title = withoutLinks(l10n.t('Gantry: Sign in to the MCP server "{0}" in the browser…', name));
  const telling = { title, notInTime: (why: string) => serverSignInFailed(name, why) };
  const done = await inBrowser(telling, signal, (leaving) => throughBrowser(servers, name, links, leaving));
  return done ?? false;
}

async function throughBrowser(
  servers: Pick<McpServers, 'signIn'>,
  name: string,
  links: SignInLinks,
  signal: AbortSignal,
): Promise<boolean> {
  let state: string | undefined;
  let isDeclined = false;
  const { redirectUri: redirectUrl, answer, dispose } = await awaitReturn(() => state, links, signal);
  const authorize = async (page: string): Promise<{ readonly code: string; readonly state: string }> => {
    if (!isSignInPage(page))
      throw serverSignInFailed(name, l10n.t('The address of its sign-in page is not an http or https URL'));
    state = new URL(page).searchParams.get('state') ?? '';
    if (!(await openPage(page))) {
      isDeclined = true;
      throw serverSignInFailed(name, l10n.t('The page was not opened'));
    }
    const answered = await answer;
    if ('error' in answered) throw serverSignInFailed(name, l10n.t('The page answered {0}', plain(answered.error)));
    return { code: answered.code, state };
  };
  try {
    await servers.signIn(name, { redirectUrl, authorize }, signal);
    return true;
  } catch (error) {
    if (isDeclined) return false;
    throw ProblemError.is(error) || signal.aborted ? error : serverSignInFailed(name, reasonOf(error), error);
  } finally {
    dispose();
  }
}

function reasonOf(error: unknown): string {
  const text = errorText(error);
  return text.slice(0, 500).replace(/\.$/, '');
}

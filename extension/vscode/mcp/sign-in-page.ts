import * as l10n from '@vscode/l10n';
import { ProblemError } from '../../protocol/agent/problem.ts';

/** The server chooses the page, and the system would open anything, such as a file or a program by its scheme. */
export function isSignInPage(page: string): boolean {
  if (!URL.canParse(page)) return false;
  const { protocol, hostname } = new URL(page);
  return protocol === 'https:' || (protocol === 'http:' && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(hostname));
}

/** `why` is a sentence without its full stop. */
export function serverSignInFailed(name: string, why: string, cause?: unknown): ProblemError {
  const problem = {
    kind: 'bad-credential',
    title: l10n.t('Sign-in to the MCP server "{0}" failed', name),
    detail: l10n.t('{0}. Nothing was changed. Use /mcp signin {1} to try again.', why, name),
    actions: ['show-log'],
  } as const;
  return new ProblemError(problem, cause === undefined ? undefined : { cause });
}

/** The same for a remote agent. */
export function agentSignInFailed(name: string, why: string, cause?: unknown): ProblemError {
  const problem = {
    kind: 'bad-credential',
    title: l10n.t('Sign-in to the remote agent "{0}" failed', name),
    detail: l10n.t('{0}. Nothing was changed. Use /agents signin {1} to try again.', why, name),
    actions: ['show-log'],
  } as const;
  return new ProblemError(problem, cause === undefined ? undefined : { cause });
}

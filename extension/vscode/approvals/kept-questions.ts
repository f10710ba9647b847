import type * as vscode from 'vscode';
import type { Logger } from '../../runtime/host.ts';
import type { PanelSession } from '../panel-session.ts';
import type { RememberedSession } from '../remembered-session.ts';
import type { PendingApprovals } from './pending-approvals.ts';

/**
 * A question outlives a reload also when the panel stays closed: then its session is opened at once, so that the
 * notification and the status bar tell of it. Without one nothing is loaded before somebody opens the panel.
 */
export function keepQuestions(
  pending: PendingApprovals,
  session: PanelSession,
  remembered: RememberedSession,
  log: Logger,
): vscode.Disposable {
  const remember = (): void => {
    remembered.rememberAsking(pending.items.length > 0).catch((error: unknown) => {
      log.error('That a question waits could not be remembered', error);
    });
  };
  if (remembered.asks) void session.restore().then(remember);
  return pending.onDidChange(remember);
}

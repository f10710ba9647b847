import * as vscode from 'vscode';
import type { Logger } from '../runtime/host.ts';
import type { PendingApprovals } from './approvals/pending-approvals.ts';
import type { PanelSession } from './panel-session.ts';
import type { RememberedSession } from './remembered-session.ts';
import type { ReviewList } from './review/later-review.ts';

export interface Unfinished {
  readonly session: PanelSession;
  readonly pending: PendingApprovals;
  readonly review: Pick<ReviewList, 'items' | 'onDidChange'>;
  readonly remembered: RememberedSession;
  readonly log: Logger;
}

/**
 * A question, a run that was cut off and changes without a verdict outlive a reload also when the panel stays closed: their
 * session is opened at once, so that notifications, status bar and marks tell of them. Without any of these nothing is
 * loaded before somebody opens the panel.
 */
export function takeUpUnfinished({ session, pending, review, remembered, log }: Unfinished): vscode.Disposable {
  const remember = (): void => {
    const isUnfinished = pending.shown.length > 0 || session.isRunning || review.items.length > 0;
    remembered.rememberUnfinished(isUnfinished).catch((error: unknown) => {
      log.error('That something is unfinished could not be remembered', error);
    });
  };
  if (remembered.isUnfinished) void session.restore().then(remember);
  return vscode.Disposable.from(
    pending.onDidChange(remember),
    session.onDidChangeState(remember),
    review.onDidChange(remember),
  );
}

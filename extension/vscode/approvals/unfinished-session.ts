import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { ReviewList } from '../review/lazy-review.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { RememberedSession } from '../session/remembered-session.ts';
import type { PendingApprovals } from './pending-approvals.ts';

export interface Unfinished {
  readonly session: PanelSession;
  readonly pending: PendingApprovals;
  readonly review: Pick<ReviewList, 'items' | 'onDidChange'>;
  readonly remembered: RememberedSession;
  readonly trust: Pick<typeof vscode.workspace, 'isTrusted' | 'onDidGrantWorkspaceTrust'>;
  readonly log: Logger;
}

/**
 * Reopens unfinished sessions after a reload, even if the panel stays closed: those with a pending question, an
 * interrupted run or changes that nobody reviewed. Notifications, status bar and marks then show them. Without such
 * sessions, nothing is loaded until the panel is opened.
 */
export function takeUpUnfinished(parts: Unfinished): vscode.Disposable {
  const { session, pending, review, remembered, log } = parts;
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
    takeUpBackground(parts),
  );
}

/** In an untrusted folder, background sessions do not continue until the folder is trusted. */
function takeUpBackground({ session, remembered, trust, log }: Unfinished): vscode.Disposable {
  const left = new Set(remembered.background);
  const remember = (): void => {
    const ids = new Set([...left, ...session.background.atWork]);
    remembered.rememberBackground([...ids]).catch((error: unknown) => {
      log.error('Which sessions are at work could not be remembered', error);
    });
  };
  const takeUp = async (): Promise<void> => {
    for (const id of trust.isTrusted ? [...left] : []) {
      await session.takeUp(id).catch((error: unknown) => log.error(`Session ${id} was not taken up again`, error));
      left.delete(id);
    }
    remember();
  };
  void takeUp();
  return vscode.Disposable.from(
    session.background.onDidChange(remember),
    session.onDidReplace(remember),
    trust.onDidGrantWorkspaceTrust(() => void takeUp()),
  );
}

import * as vscode from 'vscode';
import type { PendingApprovals } from './approvals/pending-approvals.ts';
import { BuiltIn, type ContextKey, ContextKeys } from './names.ts';
import type { PanelSession } from './session/panel-session.ts';

/** Sets context keys for the session shown, so that VS Code offers only commands that have an effect. */
export function followContextKeys(session: PanelSession, pending: PendingApprovals): vscode.Disposable {
  const told = new Map<ContextKey, boolean>();
  const tell = (key: ContextKey, value: boolean): void => {
    if (told.get(key) === value) return;
    told.set(key, value);
    void vscode.commands.executeCommand(BuiltIn.setContext, key, value);
  };
  const update = (): void => {
    tell(ContextKeys.running, session.isRunning);
    tell(ContextKeys.hasConversation, session.hasConversation);
    tell(ContextKeys.canUndoRewind, session.open?.rewind.canUndo ?? false);
    tell(ContextKeys.needsYou, pending.items.length > 0);
  };
  return vscode.Disposable.from(
    session.onDidChangeState(update),
    session.onDidReplace(update),
    pending.onDidChange(update),
  );
}

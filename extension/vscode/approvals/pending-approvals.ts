import * as vscode from 'vscode';
import { Disposable } from '../disposable.ts';
import type { PanelSession } from '../panel-session.ts';
import { type PendingApproval, PendingList } from './pending-list.ts';

/** What of the session shown waits for the user. */
export class PendingApprovals extends Disposable {
  private readonly pending = new PendingList();
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(private readonly session: PanelSession) {
    super();
    const reset = (): void => this.tell(this.pending.reset(session.entries));
    this.register(session.onDidReplace(reset));
    this.register(session.onDidChangeTranscript((changes) => this.tell(this.pending.apply(changes))));
    reset();
  }

  /** Those of a session that another window holds are answered there. */
  get items(): readonly PendingApproval[] {
    return this.session.heldBy === undefined ? this.pending.items : [];
  }

  has(requestId: string): boolean {
    return this.items.some(({ approval }) => approval.requestId === requestId);
  }

  private tell(changed: boolean): void {
    if (changed) this.changed.fire();
  }
}

import * as vscode from 'vscode';
import { decisionsOf } from '../../protocol/transcript/tool-entry.ts';
import type { OpenQuestion, OpenQuestions } from '../../runtime/open-questions.ts';
import { Disposable } from '../base/disposable.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { type PendingApproval, PendingList } from './pending-list.ts';

/** The approvals that are pending in this window: in the session shown, and in background sessions. */
export class PendingApprovals extends Disposable {
  private readonly list = new PendingList();
  private questions: Pick<OpenQuestions, 'items'> = { items: [] };
  private others: readonly PendingApproval[] = [];
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly session: PanelSession,
    runtime: Pick<RuntimeLoader, 'onDidLoad'>,
  ) {
    super();
    this.register(session.onDidReplace(() => this.replaced()));
    this.register(session.onDidChangeTranscript((changes) => this.fire(this.list.apply(changes))));
    this.list.reset(session.entries);
    runtime.onDidLoad(({ questions }) => {
      this.questions = questions;
      this.register({ dispose: questions.onDidChange(() => this.fire(this.lookAround())) });
    });
  }

  /** All pending approvals. Those of the session shown come first. */
  get items(): readonly PendingApproval[] {
    return [...this.shown, ...this.others];
  }

  /** The approvals of the session shown. If another window holds the session, they are answered there. */
  get shown(): readonly PendingApproval[] {
    return this.session.heldBy === undefined ? this.list.items : [];
  }

  find(requestId: string): PendingApproval | undefined {
    return this.items.find(({ approval }) => approval.requestId === requestId);
  }

  has(requestId: string): boolean {
    return this.find(requestId) !== undefined;
  }

  /** The session shown before may now be a background session, or the other way round. */
  private replaced(): void {
    const isOther = this.list.reset(this.session.entries);
    this.fire(this.lookAround() || isOther);
  }

  private lookAround(): boolean {
    const before = keysOf(this.others);
    const { id, leaving } = this.session;
    const others = this.questions.items.filter(({ sessionId }) => sessionId !== id && sessionId !== leaving);
    this.others = others.map(pendingOf);
    return keysOf(this.others) !== before;
  }

  private fire(changed: boolean): void {
    if (changed) this.changed.fire();
  }
}

function pendingOf({ sessionId, requestId, question }: OpenQuestion): PendingApproval {
  const { callId, title, message, schema, request } = question;
  const decisions = decisionsOf(schema);
  return {
    ...(callId !== undefined && { callId }),
    sessionId,
    approval: { requestId, title, message, decisions, ...(request && { request }) },
  };
}

function keysOf(pending: readonly PendingApproval[]): string {
  return JSON.stringify(pending.map(({ approval }) => approval.requestId));
}

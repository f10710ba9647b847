import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { Problem } from '../../protocol/agent/problem.ts';
import type { Attention } from '../base/attention.ts';
import { Disposable } from '../base/disposable.ts';
import { reportFailure, reportProblem } from '../base/report.ts';
import { BuiltIn } from '../names.ts';
import { approvalNotice, type NoticeAct, type NoticeAnswer } from './notice.ts';
import type { PendingApprovals } from './pending-approvals.ts';
import type { PendingApproval } from './pending-list.ts';

export interface NoticeTargets {
  answer(requestId: string, answer: NoticeAnswer): Promise<Problem | undefined>;
  /** Brings the question's card into view. */
  show(requestId: string): Promise<void>;
  openDiff(requestId: string): Promise<void>;
}

/** A pause between notifications: a click meant for one must not answer the next, which appears in the same place. */
const PAUSE_MS = 700;

/** Asks with notifications while the card is not visible: one at a time, and each question once. */
export class ApprovalNotifications extends Disposable {
  private readonly notified = new Set<string>();
  /** The id of the question in the open notification. */
  private open: string | undefined;
  private pausing: NodeJS.Timeout | undefined;

  constructor(
    private readonly pending: PendingApprovals,
    private readonly attention: Attention,
    private readonly targets: NoticeTargets,
    private readonly log: Logger,
    private readonly pauseMs = PAUSE_MS,
  ) {
    super();
    this.register(pending.onDidChange(() => this.update()));
    this.register(attention.onDidChange(() => this.update()));
    this.register({ dispose: () => clearTimeout(this.pausing) });
    this.update();
  }

  private update(): void {
    for (const id of this.notified) if (!this.pending.has(id)) this.notified.delete(id);
    if (this.open !== undefined && !this.pending.has(this.open)) this.withdraw();
    if (this.open !== undefined || this.pausing) return;
    const next = this.pending.items.find((each) => !this.notified.has(each.approval.requestId) && !this.isInView(each));
    if (!next) return;
    this.ask(next).catch((error: unknown) => reportFailure('Answering a notification', error, this.log));
  }

  private isInView({ sessionId }: PendingApproval): boolean {
    return sessionId === undefined && this.attention.isOnPanel;
  }

  private async ask(pending: PendingApproval): Promise<void> {
    const { requestId } = pending.approval;
    this.notified.add(requestId);
    this.open = requestId;
    const { text, choices } = approvalNotice(pending, this.pending.items.length);
    const label = await vscode.window.showWarningMessage(text, ...choices.map((choice) => choice.label));
    if (this.open === requestId) this.close();
    const picked = choices.find((choice) => choice.label === label);
    if (picked) await this.act(picked.act, pending);
    else if (this.pending.has(requestId)) this.putOff();
  }

  private async act(act: NoticeAct, { approval: { requestId } }: PendingApproval): Promise<void> {
    if (!this.pending.has(requestId)) {
      void vscode.window.showInformationMessage(tooLate());
      return;
    }
    if (act.kind === 'answer') await reportProblem(await this.targets.answer(requestId, act.answer));
    else if (act.kind === 'openDiff') await this.targets.openDiff(requestId);
    else await this.targets.show(requestId);
  }

  /** The notification was closed without an answer. Its questions stay pending in the panel and in the status bar. */
  private putOff(): void {
    for (const { approval } of this.pending.items) this.notified.add(approval.requestId);
  }

  private close(): void {
    this.open = undefined;
    this.pausing = setTimeout(() => {
      this.pausing = undefined;
      this.update();
    }, this.pauseMs);
  }

  /**
   * The question was answered elsewhere. An extension cannot close its notification, so all notifications are hidden.
   * They stay in the notification center, where answering this one reports that it is too late.
   */
  private withdraw(): void {
    this.close();
    void vscode.commands.executeCommand(BuiltIn.hideNotifications);
  }
}

const tooLate = (): string => l10n.t('This approval has already been answered or has expired.');

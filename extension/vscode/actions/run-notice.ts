import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Logger } from '../../ports/logger.ts';
import type { PendingApprovals } from '../approvals/pending-approvals.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { Commands } from '../names.ts';
import type { RuntimeLoader } from '../runtime-loader.ts';
import type { PanelSession } from '../session/panel-session.ts';
import { longRunSeconds } from '../settings.ts';
import { badgeOf, endingOf, isWorthTelling } from './run-ending.ts';

/** The part of the chat view that shows a badge. */
interface BadgeTarget {
  readonly isVisible: boolean;
  readonly onDidChangeVisibility: vscode.Event<void>;
  setBadge(badge: vscode.ViewBadge | undefined): void;
}

/** The session of a run that ended, shown or in the background. */
type EndedRun = Pick<PanelSession, 'id' | 'entries' | 'title'>;

/**
 * Notifies users who look elsewhere: with a badge on the view and, after a long run, also with a notification in VS
 * Code and on the desktop.
 */
export class RunNotice extends Disposable {
  private startedAt: number | undefined;
  private hasNews = false;

  constructor(
    private readonly session: PanelSession,
    private readonly pending: Pick<PendingApprovals, 'items' | 'onDidChange'>,
    private readonly view: BadgeTarget,
    private readonly runtime: RuntimeLoader,
    private readonly log: Logger,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.register(session.onDidChangeState(() => this.stateChanged()));
    this.register(session.onDidReplace(() => this.replaced()));
    this.register(
      session.background.onDidFinish(({ id, transcript: { entries, title }, startedAt }) =>
        this.ended(startedAt, { id, entries, title }),
      ),
    );
    this.register(pending.onDidChange(() => this.showBadge()));
    this.register(view.onDidChangeVisibility(() => this.showBadge()));
  }

  private stateChanged(): void {
    const { isRunning } = this.session;
    if (isRunning) {
      this.startedAt ??= this.now();
      return;
    }
    if (this.startedAt === undefined) return;
    const { startedAt } = this;
    this.startedAt = undefined;
    this.ended(startedAt, this.session);
  }

  private ended(startedAt: number, run: EndedRun): void {
    this.hasNews = !this.view.isVisible;
    this.showBadge();
    const seconds = (this.now() - startedAt) / 1000;
    const { focused } = vscode.window.state;
    if (isWorthTelling({ seconds, longRun: longRunSeconds(), focused })) void this.notify(seconds, run);
  }

  /** The panel shows another session. Earlier runs of that session are not news. */
  private replaced(): void {
    this.startedAt = this.session.isRunning ? this.now() : undefined;
    this.hasNews = false;
    this.showBadge();
  }

  private showBadge(): void {
    if (this.view.isVisible) this.hasNews = false;
    const { items } = this.pending;
    const waitingElsewhere = items.filter(({ sessionId }) => sessionId !== undefined).length;
    const { isVisible: visible } = this.view;
    this.view.setBadge(badgeOf({ visible, waiting: items.length, waitingElsewhere, hasNews: this.hasNews }));
  }

  private async notifyDesktop(title: string, detail: string): Promise<void> {
    const service = await this.runtime.load();
    if (!(await service.notifyDesktop(title, detail))) this.log.info(NOT_NOTIFIED);
  }

  private async notify(seconds: number, { id, entries, title: session }: EndedRun): Promise<void> {
    const { title, detail } = endingOf(entries, session, seconds);
    // The extension host can only reach the desktop if both are on the same machine.
    if (vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined) {
      this.notifyDesktop(title, detail).catch((error: unknown) => this.log.error(NOT_NOTIFIED, error));
    }
    const open = l10n.t('Open Chat');
    const choice = await vscode.window.showInformationMessage(withoutLinks(`${title}: ${detail}`), open);
    if (choice === open) await vscode.commands.executeCommand(Commands.showSession, id);
  }
}

const NOT_NOTIFIED = 'The desktop could not show a notification';

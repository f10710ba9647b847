import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { InOrder } from '../../base/in-order.ts';
import type { Logger } from '../../ports/logger.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutIcons } from '../base/escape-ui-text.ts';
import { Commands } from '../names.ts';
import type { PanelSession } from '../session/panel-session.ts';
import type { WaitingCommands } from '../terminals/waiting-commands.ts';
import type { PendingApprovals } from './pending-approvals.ts';
import { type StatusFacts, spokenStatus, statusLook } from './status-texts.ts';

/** Places the item to the right of VS Code's own items about the workspace. */
const PRIORITY = 10;

/**
 * Shows state, model and mode in the status bar. The item appears when Gantry is first used in a window, because
 * nothing is loaded before.
 */
export class StatusItem extends Disposable {
  private readonly item = this.register(
    vscode.window.createStatusBarItem('gantry.status', vscode.StatusBarAlignment.Left, PRIORITY),
  );
  private readonly updates = new InOrder();
  private isOutdated = false;
  /** How commands are confined, once the sandbox was probed. */
  private commands: string | undefined;

  constructor(
    private readonly session: PanelSession,
    private readonly pending: PendingApprovals,
    private readonly inputs: WaitingCommands,
    private readonly log: Logger,
  ) {
    super();
    this.item.name = 'Gantry';
    this.register(session.onDidChangeState(() => this.update()));
    this.register(session.onDidReplace(() => this.update()));
    this.register(pending.onDidChange(() => this.update()));
    this.register(inputs.onDidChange(() => this.update()));
    this.update();
  }

  tellCommands(words: string): void {
    this.commands = words;
    this.update();
  }

  /** Updates the item after a change outside the session: a setting, a key, trust. */
  update(): void {
    if (this.isOutdated) return;
    this.isOutdated = true;
    this.updates.run(() => this.show()).catch((error: unknown) => this.log.error('The status bar', error));
  }

  private async show(): Promise<void> {
    this.isOutdated = false;
    const { model, method, running, readOnly, heldBy, approvalMode: mode } = await this.session.state();
    const waiting = this.pending.items.length;
    const inputs = this.inputs.items.length;
    const facts: StatusFacts = { waiting, inputs, running, readOnly, heldBy, mode, model, method };
    const { icon, text, background } = statusLook(facts);
    this.item.text = `$(${icon}) ${withoutIcons(text)}`;
    this.item.backgroundColor = background && new vscode.ThemeColor(`statusBarItem.${background}Background`);
    this.item.command = facts.waiting > 0 ? Commands.focusApproval : Commands.openChat;
    this.item.tooltip = tooltip(facts, this.commands);
    this.item.accessibilityInformation = { label: spokenStatus(facts), role: 'button' };
    this.item.show();
  }
}

function tooltip(facts: StatusFacts, commands: string | undefined): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  // Model names may come from a folder's settings, so only links to these three commands work.
  text.isTrusted = { enabledCommands: [Commands.setApprovalMode, Commands.selectModel, Commands.focusApproval] };
  text.appendMarkdown('**Gantry**\n\n');
  text.appendText(statusLook(facts).state);
  if (facts.waiting > 0) {
    text.appendMarkdown(`\n\n[${l10n.t('Focus Pending Approval')}](command:${Commands.focusApproval})`);
  }
  text.appendMarkdown('\n\n').appendText(l10n.t('Approval mode: {0}', facts.mode));
  text.appendMarkdown(` · [${l10n.t('Change')}](command:${Commands.setApprovalMode})\n\n`);
  const model = facts.method === undefined ? facts.model : `${facts.model}, ${facts.method}`;
  text.appendText(l10n.t('Model: {0}', model));
  text.appendMarkdown(` · [${l10n.t('Change')}](command:${Commands.selectModel})`);
  if (commands !== undefined) text.appendMarkdown('\n\n').appendText(l10n.t('Commands: {0}', commands));
  return text;
}

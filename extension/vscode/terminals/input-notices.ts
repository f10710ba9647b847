import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attention } from '../base/attention.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import type { WaitingCommand, WaitingCommands } from './waiting-commands.ts';

export interface InputTargets {
  /** Whether the user sees the terminal of the command. */
  isLookedAt(callId: string): boolean;
  openTerminal(callId: string): void;
}

/** Notifies the user once when a command waits for input, if neither the panel nor its terminal is visible. */
export class InputNotices extends Disposable {
  private readonly told = new Set<string>();

  constructor(
    private readonly waiting: WaitingCommands,
    private readonly attention: Attention,
    private readonly targets: InputTargets,
  ) {
    super();
    this.register(waiting.onDidChange(() => this.update()));
    this.register(attention.onDidChange(() => this.update()));
  }

  private update(): void {
    const { items } = this.waiting;
    for (const id of this.told) if (!items.some(({ callId }) => callId === id)) this.told.delete(id);
    if (this.attention.isOnPanel) return;
    for (const item of items) {
      if (this.told.has(item.callId) || this.targets.isLookedAt(item.callId)) continue;
      this.told.add(item.callId);
      void this.tell(item);
    }
  }

  private async tell({ callId, label }: WaitingCommand): Promise<void> {
    const open = l10n.t('Open Terminal');
    const text = withoutLinks(l10n.t('Gantry: {0} is waiting for input.', label));
    if ((await vscode.window.showInformationMessage(text, open)) === open) {
      this.targets.openTerminal(callId);
    }
  }
}

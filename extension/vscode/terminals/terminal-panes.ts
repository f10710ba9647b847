import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandPlace, TerminalCommand, TerminalsPort } from '../../ports/terminals.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { CommandPane } from './command-pane.ts';
import { endText } from './pane-texts.ts';

/** Enough to look at what ran before; more would only fill the list of terminals. */
const MAX_IDLE = 3;

/** The terminals in which commands of all sessions of this window are shown. */
export class TerminalPanes extends Disposable implements TerminalsPort {
  /** Ordered by use, the most recent last. */
  private panes: readonly CommandPane[] = [];
  private closing: vscode.Disposable | undefined;
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;

  constructor() {
    super();
    this.register({
      dispose: () => {
        for (const pane of this.panes) pane.dispose();
        this.panes = [];
      },
    });
  }

  show(command: TerminalCommand): void {
    // A terminal that is closed before VS Code has opened it gets no close event of its own.
    this.closing ??= this.register(
      vscode.window.onDidCloseTerminal((closed) => this.panes.find(({ terminal }) => terminal === closed)?.close()),
    );
    const idle = this.panes.findLast((pane) => pane.isFreeFor(command));
    const pane: CommandPane = idle ?? new CommandPane(command, () => this.drop(pane));
    idle?.run(command);
    this.panes = [...this.panes.filter((other) => other !== pane), pane];
    this.changed.fire();
    void command.ended.then((exit) => {
      this.tidy();
      const { isLookedAt } = pane;
      if (!command.isInBackground() || command.wasStopped() || isLookedAt) return;
      void this.notify(command, endText(exit), exit.exitCode === 0);
    });
  }

  get commands(): readonly CommandPlace[] {
    return this.panes.flatMap(({ commands }) => commands);
  }

  reveal(sessionId: string, callId: string): boolean {
    const pane = this.panes.findLast((other) => other.hasShown(sessionId, callId));
    pane?.reveal();
    return pane !== undefined;
  }

  isLookedAt(sessionId: string, callId: string): boolean {
    return this.panes.findLast((other) => other.hasShown(sessionId, callId))?.isLookedAt ?? false;
  }

  private async notify({ sessionId, callId, label }: TerminalCommand, end: string, isGood: boolean): Promise<void> {
    const open = l10n.t('Open Terminal');
    const words = withoutLinks(l10n.t('Gantry: Background command "{0}": {1}', label, end));
    const choice = isGood
      ? await vscode.window.showInformationMessage(words, open)
      : await vscode.window.showWarningMessage(words, open);
    if (choice === open) this.reveal(sessionId, callId);
  }

  /** Removes the oldest idle panes, except for one that the user may be looking at. */
  private tidy(): void {
    const idle = this.panes.filter((pane) => pane.isIdle);
    const old = idle.filter((pane) => !pane.isActive).slice(0, Math.max(0, idle.length - MAX_IDLE));
    for (const pane of old) this.drop(pane);
  }

  private drop(pane: CommandPane): void {
    this.panes = this.panes.filter((other) => other !== pane);
    pane.dispose();
    this.changed.fire();
  }
}

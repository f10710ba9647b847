import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TranscriptChange } from '../../protocol/transcript/transcript-entry.ts';
import type { Attention } from '../base/attention.ts';
import { Disposable } from '../base/disposable.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import type { PanelSession } from '../session/panel-session.ts';

export interface WaitingCommand {
  readonly callId: string;
  /** A short label of the command. */
  readonly label: string;
}

/** The commands of the session shown that wait for input. */
export class WaitingCommands extends Disposable {
  private readonly changed = this.register(new vscode.EventEmitter<void>());
  private readonly waiting = new Map<string, WaitingCommand>();

  readonly onDidChange = this.changed.event;

  constructor(session: PanelSession) {
    super();
    this.register(session.onDidChangeTranscript((changes) => this.apply(changes)));
    this.register(
      session.onDidReplace(() => {
        const gone = [...this.waiting.keys()];
        this.apply([{ op: 'remove', ids: gone }, ...session.entries.map((entry) => ({ op: 'put' as const, entry }))]);
      }),
    );
  }

  get items(): readonly WaitingCommand[] {
    return [...this.waiting.values()];
  }

  private apply(changes: readonly TranscriptChange[]): void {
    let isChanged = false;
    for (const change of changes) {
      if (change.op === 'remove') for (const id of change.ids) isChanged = this.waiting.delete(id) || isChanged;
      if (change.op !== 'put' || change.entry.kind !== 'tool') continue;
      const { id: callId, subject: label, command } = change.entry;
      const waits = command?.state === 'waiting';
      if (waits === this.waiting.has(callId)) continue;
      isChanged = true;
      if (waits) this.waiting.set(callId, { callId, label });
      else this.waiting.delete(callId);
    }
    if (isChanged) this.changed.fire();
  }
}

export interface InputTargets {
  /** Whether the user sees the terminal of the command. */
  isLookedAt(callId: string): boolean;
  openTerminal(callId: string): void;
}

/** Notifies the user once when a command waits for input, if neither the panel nor its terminal is visible. */
export class InputNotices extends Disposable {
  private readonly notified = new Set<string>();

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
    for (const id of this.notified) if (!items.some(({ callId }) => callId === id)) this.notified.delete(id);
    if (this.attention.isOnPanel) return;
    for (const item of items) {
      if (this.notified.has(item.callId) || this.targets.isLookedAt(item.callId)) continue;
      this.notified.add(item.callId);
      void this.notify(item);
    }
  }

  private async notify({ callId, label }: WaitingCommand): Promise<void> {
    const open = l10n.t('Open Terminal');
    const text = withoutLinks(l10n.t('Gantry: {0} is waiting for input.', label));
    if ((await vscode.window.showInformationMessage(text, open)) === open) {
      this.targets.openTerminal(callId);
    }
  }
}

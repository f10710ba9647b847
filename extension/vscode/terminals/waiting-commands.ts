import * as vscode from 'vscode';
import type { TranscriptChange } from '../../protocol/transcript/transcript-entry.ts';
import { Disposable } from '../base/disposable.ts';
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

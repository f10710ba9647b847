import type { ToPanel } from '../../extension/protocol/panel/panel-messages.ts';
import { PanelTranscript } from './transcript.ts';

/** The thread of a subagent that the reader opened: a conversation of its own, loaded like the main one. */
export class OpenThread {
  readonly transcript = new PanelTranscript();
  /** False until the thread has arrived; an empty transcript means nothing before that. */
  loaded = false;

  constructor(
    /** The call that the subagent works for. */
    readonly callId: string,
    readonly threadId: string,
  ) {}

  /** Returns true if the elements around the entries must be drawn again. */
  take({ told }: Extract<ToPanel, { type: 'thread' }>): boolean {
    switch (told.type) {
      case 'transcript': {
        const { facts, type: _, ...window } = told;
        this.transcript.reset(window, facts);
        this.loaded = true;
        return true;
      }
      case 'window':
        this.transcript.hold(told);
        return true;
      case 'changes':
        return this.transcript.apply(told.changes, told.facts);
    }
  }
}

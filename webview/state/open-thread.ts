import type { ToPanel } from '../../extension/protocol/panel/panel-messages.ts';
import { PanelTranscript } from './transcript.ts';

/** The thread of a subagent that the reader has opened: a conversation of its own, held as the other is. */
export class OpenThread {
  readonly transcript = new PanelTranscript();
  /** It has arrived; before that an empty one means nothing. */
  loaded = false;

  constructor(
    /** The call that it works for. */
    readonly callId: string,
    readonly threadId: string,
  ) {}

  /** Whether something around its entries has to be drawn again. */
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

import { decisionButtons } from '../../extension/protocol/agent/decisions.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { AskingEntry } from '../state/transcript.ts';

export type Question = AskingEntry['approval'];
/** Without a decision it is a rejection. */
export type Answer = Omit<Extract<ToHost, { type: 'answer' }>, 'type' | 'requestId'>;

/** The yes that allows the least; undefined when none is on offer. */
export function narrowestYes({ decisions, request }: Question, answers: Record<string, string>): Answer | undefined {
  switch (request?.details.type) {
    case 'ask_user':
      return { decision: 'once', answers };
    case 'plan':
      return { decision: 'once', approvalMode: 'default' };
    default: {
      const { primary } = decisionButtons(decisions);
      return primary && { decision: primary.decision };
    }
  }
}

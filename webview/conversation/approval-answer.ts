import * as l10n from '@vscode/l10n';
import type { ApprovalDetails } from '../../extension/protocol/agent/approval.ts';
import { decisionButtons } from '../../extension/protocol/agent/decisions.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { KeyPress } from '../composer/keys.ts';
import type { AskingEntry } from '../state/transcript.ts';

export type AskedApproval = AskingEntry['approval'];
/** An answer without a decision is a rejection. */
export type Answer = Omit<Extract<ToHost, { type: 'answer' }>, 'type' | 'requestId'>;

/** The narrowest approval; undefined if none is offered. */
export function narrowestYes(
  { decisions, request }: AskedApproval,
  answers: Record<string, string>,
): Answer | undefined {
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

/**
 * Why the card cannot be approved yet; undefined if it can. Content that does not fit on the card must be scrolled to
 * its end first. An edit can also be read in its diff editor: while that is open, the card requires no scrolling.
 */
export function gateOf(
  details: ApprovalDetails | undefined,
  { isUnread, isInEditor }: { readonly isUnread: boolean; readonly isInEditor: boolean },
): string | undefined {
  if (details?.type !== 'edit') return isUnread ? l10n.t('Scroll to the end to allow.') : undefined;
  if (isInEditor) return undefined;
  if (isCut(details)) return l10n.t('Too long for this card. Open the diff to allow it.');
  return isUnread ? l10n.t('Open the diff or scroll to the end to allow.') : undefined;
}

/** True if the card shows only a part of the change. */
export function isCut(details: ApprovalDetails | undefined): boolean {
  return details?.type === 'edit' && details.files.some((file) => file.isCut);
}

/** `next` moves the focus from the card to its first unread content or control. `nothing` suppresses the key. */
export type ApprovalKey = 'allow' | 'reject' | 'next' | 'nothing' | 'other';

interface Place {
  /** True in a text field. */
  readonly inText: boolean;
  /** True if the focus is on the card itself and not on a control. */
  readonly onCard: boolean;
}

const TAKEN_BY_INPUT_METHOD = 229;

/**
 * The action of a key on a card. A key that is held down gives no answer: it may have been pressed for something shown
 * here before, and browsers press a button again for each repeat.
 */
export function approvalKey(press: KeyPress & { readonly repeat: boolean }, { inText, onCard }: Place): ApprovalKey {
  if (press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD) return 'other';
  if (press.repeat && (press.key === 'Enter' || (press.key === ' ' && !inText))) return 'nothing';
  if (press.shiftKey || press.altKey) return 'other';
  if (press.ctrlKey || press.metaKey) {
    if (press.key === 'Enter') return 'allow';
    // In a text field, the key deletes a word.
    return press.key === 'Backspace' && !inText && !press.repeat ? 'reject' : 'other';
  }
  return press.key === 'Tab' && onCard ? 'next' : 'other';
}

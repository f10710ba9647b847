import * as l10n from '@vscode/l10n';
import type { ApprovalDetails } from '../../extension/protocol/agent/approval.ts';
import { decisionButtons } from '../../extension/protocol/agent/decisions.ts';
import type { ToHost } from '../../extension/protocol/panel/host-messages.ts';
import type { KeyPress } from '../composer/keys.ts';
import type { AskingEntry } from '../state/transcript.ts';

export type AskedApproval = AskingEntry['approval'];
/** Without a decision it is a rejection. */
export type Answer = Omit<Extract<ToHost, { type: 'answer' }>, 'type' | 'requestId'>;

/** The approval that allows the least; undefined when none is on offer. */
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
 * Why the card cannot be approved yet; undefined when it can. What does not fit on the card is scrolled to its
 * end first. The whole of an edit can be read in its diff as well: while that is open, the card asks for nothing more.
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

/** The end of the card is not the end of the change. */
export function isCut(details: ApprovalDetails | undefined): boolean {
  return details?.type === 'edit' && details.files.some((file) => file.isCut);
}

/** `next`: from the card to what is to be read or pressed first. `nothing`: not even what the key does by itself. */
export type ApprovalKey = 'allow' | 'reject' | 'next' | 'nothing' | 'other';

interface Place {
  /** In a field that takes text. */
  readonly inText: boolean;
  /** On the card itself, not on something in it. */
  readonly onCard: boolean;
}

const TAKEN_BY_INPUT_METHOD = 229;

/**
 * What a key does on a card. A key that is held down answers nothing: it may have been pressed for what stood here
 * before, and browsers press a button again for each repeat.
 */
export function approvalKey(press: KeyPress & { readonly repeat: boolean }, { inText, onCard }: Place): ApprovalKey {
  if (press.isComposing || press.keyCode === TAKEN_BY_INPUT_METHOD) return 'other';
  if (press.repeat && (press.key === 'Enter' || (press.key === ' ' && !inText))) return 'nothing';
  if (press.shiftKey || press.altKey) return 'other';
  if (press.ctrlKey || press.metaKey) {
    if (press.key === 'Enter') return 'allow';
    // In a field it takes back a word.
    return press.key === 'Backspace' && !inText && !press.repeat ? 'reject' : 'other';
  }
  return press.key === 'Tab' && onCard ? 'next' : 'other';
}

import * as l10n from '@vscode/l10n';
import type { ApprovalDetails } from '../../extension/protocol/agent/approval.ts';

/** Why there can be no yes on the card yet; undefined when there can. */
export function gateOf(details: ApprovalDetails | undefined, isUnread: boolean): string | undefined {
  if (isCut(details)) return l10n.t('Too long for this card. Open the diff to read and accept it.');
  return isUnread ? l10n.t('Scroll to the end to allow.') : undefined;
}

/** The end of the card is not the end of the change. */
export function isCut(details: ApprovalDetails | undefined): boolean {
  return details?.type === 'edit' && details.files.some((file) => file.isCut);
}

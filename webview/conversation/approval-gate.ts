import * as l10n from '@vscode/l10n';
import type { ApprovalDetails } from '../../extension/protocol/agent/approval.ts';

/**
 * Why there can be no yes on the card yet; undefined when there can. What does not fit on the card is scrolled to its
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

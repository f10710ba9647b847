import type { ApprovalDetails } from '../../extension/protocol/approval.ts';

const TO_THE_END = 'Scroll to the end to allow.';
const IN_THE_DIFF = 'Too long for this card. Open the diff to read and accept it.';

/** Why there can be no yes on the card yet; undefined when there can. */
export function gateOf(details: ApprovalDetails | undefined, isUnread: boolean): string | undefined {
  if (isCut(details)) return IN_THE_DIFF;
  return isUnread ? TO_THE_END : undefined;
}

/** The end of the card is not the end of the change. */
export function isCut(details: ApprovalDetails | undefined): boolean {
  return details?.type === 'edit' && details.files.some((file) => file.isCut);
}

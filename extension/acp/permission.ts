import type { PermissionOption, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { ElicitationAnswer } from '../protocol/agent/agent-protocol.ts';
import type { ApprovalRequest } from '../protocol/agent/approval.ts';

/** The answer to a question, without the id of its request. */
export type ClientAnswer = Omit<ElicitationAnswer, 'requestId'>;

/** A question has at most this many grants in a client, whose buttons are in one row. The narrowest come first. */
const MOST_GRANTS = 2;

const REJECT: PermissionOption = { optionId: 'reject', name: 'Reject', kind: 'reject_once' };

/** The ways to answer an approval. `decisions` are those that the question accepts. */
export function permissionOptions(
  { details, grants }: Pick<ApprovalRequest, 'details' | 'grants'>,
  decisions: readonly string[],
): PermissionOption[] {
  if (details.type === 'plan') {
    return [
      { optionId: 'plan:default', name: 'Carry it out, and ask before changes', kind: 'allow_once' },
      { optionId: 'plan:autoEdit', name: 'Carry it out, and edit without asking', kind: 'allow_always' },
      { ...REJECT, name: 'Keep planning' },
    ];
  }
  const wider = grants.slice(0, MOST_GRANTS).flatMap(({ label }, index): PermissionOption[] => [
    { optionId: `session:${index}`, name: `Allow for this session: ${label}`, kind: 'allow_always' },
    { optionId: `always:${index}`, name: `Always allow: ${label}`, kind: 'allow_always' },
  ]);
  const offered = wider.filter(({ optionId }) => decisions.includes(optionId.split(':')[0] ?? ''));
  return [{ optionId: 'once', name: 'Allow once', kind: 'allow_once' }, ...offered, REJECT];
}

/** The chosen option as an answer. An option that was not offered counts as a rejection. */
export function permissionAnswer(
  { outcome }: Pick<RequestPermissionResponse, 'outcome'>,
  options: readonly PermissionOption[],
  { grants }: Pick<ApprovalRequest, 'grants'>,
): ClientAnswer {
  if (outcome.outcome === 'cancelled') return { action: 'cancel', content: {} };
  const chosen = options.find(({ optionId }) => optionId === outcome.optionId)?.optionId ?? REJECT.optionId;
  if (chosen === REJECT.optionId) return { action: 'decline', content: {} };
  const [decision = '', detail = ''] = chosen.split(':');
  if (decision === 'once') return { action: 'accept', content: { decision } };
  if (decision === 'plan') return { action: 'accept', content: { decision: 'once', approvalMode: detail } };
  return { action: 'accept', content: { decision, grant: grants[Number(detail)]?.id } };
}

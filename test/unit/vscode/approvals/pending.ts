import type { ApprovalDetails, Grant } from '../../../../extension/protocol/agent/approval.ts';
import type { Entry } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import type { PendingApproval } from '../../../../extension/vscode/approvals/pending-list.ts';

export const EXACT: Grant = { id: 'exact', label: 'npm test', covers: 'Exactly this command.' };

/** A question about a call, as it waits. */
export function pendingApproval(details: ApprovalDetails, given: Partial<Question> = {}): PendingApproval {
  const {
    title = 'Run this command?',
    why = 'Commands require approval. Rule write.toml:26 (shipped).',
    grants = [],
  } = given;
  const decisions = grants.length > 0 ? ['once', 'session', 'always'] : ['once'];
  const approval = { requestId: 'r1', title, message: 'A message', decisions, request: { details, why, grants } };
  return { callId: 'c1', approval };
}

interface Question {
  readonly title: string;
  readonly why: string;
  readonly grants: Grant[];
}

export function toolEntry(id: string, requestId?: string): Entry {
  const approval =
    requestId === undefined ? {} : { approval: { requestId, title: '', message: '', decisions: ['once'] } };
  return { kind: 'tool', id, name: 'replace', subject: '', summary: '', status: 'running', detail: '', ...approval };
}

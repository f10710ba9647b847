import type { ApprovalDetails } from '../../protocol/approval.ts';
import type { ProposedEdit } from '../tool.ts';
import { countChanges, unifiedDiff } from '../unified-diff.ts';

/** More than anybody reads on a card; the editor's diff has the rest. */
const MAX_PATCH_CHARS = 60_000;

/** What a person is shown before they say yes to edits. */
export function editDetails(edits: readonly ProposedEdit[]): ApprovalDetails {
  const share = Math.floor(MAX_PATCH_CHARS / Math.max(edits.length, 1));
  return {
    type: 'edit',
    files: edits.map(({ label, before, after }) => ({
      path: label,
      isNew: before === null,
      patch: cut(unifiedDiff(before ?? '', after), share),
      ...countChanges(before ?? '', after),
    })),
  };
}

function cut(patch: string, limit: number): string {
  if (patch.length <= limit) return patch;
  const end = patch.lastIndexOf('\n', limit);
  return `${patch.slice(0, end === -1 ? limit : end)}\n\\ The rest is not shown`;
}

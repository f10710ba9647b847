import type { ProposedEdit } from '../../ports/tool.ts';
import type { ApprovalDetails } from '../../protocol/agent/approval.ts';
import { countChanges, cutPatch, unifiedDiff } from '../../text/unified-diff.ts';

/** More than anyone reads on a card. The editor's diff shows the rest. */
const MAX_PATCH_CHARS = 60_000;

/** The details that the approval of edits shows. */
export function editDetails(edits: readonly ProposedEdit[]): ApprovalDetails {
  const share = Math.floor(MAX_PATCH_CHARS / Math.max(edits.length, 1));
  return {
    type: 'edit',
    files: edits.map(({ label, path, before, after }) => {
      const patch = unifiedDiff(before ?? '', after);
      return {
        path: label,
        fullPath: path,
        isNew: before === null,
        patch: cutPatch(patch, share),
        ...(patch.length > share && { isCut: true }),
        ...countChanges(before ?? '', after),
      };
    }),
  };
}

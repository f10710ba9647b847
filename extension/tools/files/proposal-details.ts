import type { ProposedEdit } from '../../ports/tool.ts';
import type { ApprovalDetails } from '../../protocol/agent/approval.ts';
import { countChanges, cutPatch, unifiedDiff } from '../../text/unified-diff.ts';

/** More than anybody reads on a card; the editor's diff has the rest. */
const MAX_PATCH_CHARS = 60_000;

/** What a person is shown before they approve edits. */
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

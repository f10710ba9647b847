import type { ApprovalDetails } from '../../protocol/approval.ts';
import type { ProposedEdit } from '../tool.ts';
import { countChanges, unifiedDiff } from '../unified-diff.ts';

/** More than anybody reads on a card; the editor's diff has the rest. */
const MAX_PATCH_CHARS = 60_000;

/** What a person is shown before they say yes to edits. */
export function editDetails(edits: readonly ProposedEdit[]): ApprovalDetails {
  const counts = edits.map(({ before, after }) => countChanges(before ?? '', after));
  const sum = (key: 'added' | 'removed'): number => counts.reduce((total, count) => total + count[key], 0);
  return {
    type: 'edit',
    path: edits.map(({ label }) => label).join(', '),
    isNew: edits.every(({ before }) => before === null),
    patch: cut(edits.map((edit) => patchOf(edit, edits.length > 1)).join('\n')),
    added: sum('added'),
    removed: sum('removed'),
  };
}

function patchOf({ label, before, after }: ProposedEdit, isOneOfMany: boolean): string {
  const diff = unifiedDiff(before ?? '', after);
  return isOneOfMany ? `--- ${before === null ? '/dev/null' : label}\n+++ ${label}\n${diff}` : diff;
}

function cut(patch: string): string {
  if (patch.length <= MAX_PATCH_CHARS) return patch;
  const end = patch.lastIndexOf('\n', MAX_PATCH_CHARS);
  return `${patch.slice(0, end === -1 ? MAX_PATCH_CHARS : end)}\n… the rest is not shown`;
}

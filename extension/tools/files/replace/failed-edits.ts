import type { ToolErrorType, ToolResult } from '../../../ports/tool.ts';

const COUNTED: ReadonlySet<ToolErrorType> = new Set([
  'edit_no_occurrence_found',
  'edit_expected_occurrence_mismatch',
  'edit_no_change',
]);

/** Counts the failed edits of each file in a session, because a model that fails tends to try the same again. */
export class FailedEdits {
  /** By path: the calls that failed since the last edit that matched. */
  private readonly calls = new Map<string, Set<string>>();

  /** The error of a call, with the advice to work in another way after several failures. */
  explained(path: string, label: string, callId: string, failed: ToolResult): ToolResult {
    const { error } = failed;
    if (!error || !COUNTED.has(error.type)) return failed;
    // An edit is computed for the approval and again for the write.
    const count = (this.calls.get(path) ?? this.calls.set(path, new Set()).get(path))?.add(callId).size ?? 1;
    const advice = adviceAfter(count, label);
    return advice === '' ? failed : { ...failed, error: { ...error, message: `${error.message}\n\n${advice}` } };
  }

  matched(path: string): void {
    this.calls.delete(path);
  }
}

function adviceAfter(count: number, label: string): string {
  if (count < 2) return '';
  if (count === 2)
    return `This is the second edit of ${label} in a row that failed. Read the lines with read_file before you try again.`;
  return (
    `This is edit number ${count} of ${label} in a row that failed. Do not call replace with this text again. ` +
    'Read the file and write it whole with write_file, or change your approach.'
  );
}

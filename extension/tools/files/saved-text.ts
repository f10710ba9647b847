import { withLf } from '../../files/line-ends.ts';
import type { OpenDocument } from '../../ports/workspace.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';

const MAX_DIFF_CHARS = 20_000;

/** The text after the editor changed it on save, for example with a formatter. Undefined if it is unchanged. */
export function changedBySaving(document: OpenDocument | undefined, written: string): string | undefined {
  if (!document || document.isDirty || withLf(document.text) === withLf(written)) return undefined;
  return document.text;
}

/** Tells the model what saving changed, separately from its own edit. */
export function savingChanges(written: string, saved: string): string {
  const changes = cutDiff(withLf(written), withLf(saved));
  return `The editor changed the file further when it saved it (a formatter or another save action). From the edit to what is in the file now:\n${changes}`;
}

/** Tells the model how the user changed its edit. */
export function userChanges(proposed: string, accepted: string): string {
  const changes = cutDiff(proposed, accepted);
  return `The user changed your edit before accepting it. From yours to what is in the file now:\n${changes}`;
}

function cutDiff(before: string, after: string): string {
  const diff = unifiedDiff(before, after);
  return diff.length > MAX_DIFF_CHARS ? `${diff.slice(0, MAX_DIFF_CHARS)}\n… cut` : diff;
}

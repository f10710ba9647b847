import { failureText } from '../../files/file-failure.ts';
import type { ProposedEdit, TextChange, ToolContext } from '../../ports/tool.ts';
import { loadEditable } from '../files/editable-text.ts';
import { Refused } from './refused.ts';
import { findFile } from './workspace-file.ts';

export interface PlannedWrite {
  readonly path: string;
  readonly label: string;
  readonly bytes: Uint8Array;
  readonly change: TextChange;
}

/** Looks at every file once more before the first one is written: all can be changed as proposed, or none is. */
export async function readyToWrite(
  edits: readonly ProposedEdit[],
  context: ToolContext,
): Promise<readonly PlannedWrite[]> {
  const writes: PlannedWrite[] = [];
  for (const { path, label, before, after } of edits) {
    const file = await findFile(path, context);
    // A link put in its place since then would lead somewhere else.
    if (file === undefined || file.path !== path || file.hidden !== undefined) {
      throw new Refused('path_not_in_workspace', `${label} may no longer be changed. Nothing was changed.`);
    }
    const loaded = await loadEditable({ ok: true, guarded: file, label }, context.files, context.signal);
    if (!loaded.ok)
      throw new Refused('edit_preparation_failure', `${loaded.failed.error?.message} Nothing was changed.`);
    if (loaded.editable.before !== before) {
      const message = `${label} was changed in the meantime. Nothing was renamed; call rename_symbol again.`;
      throw new Refused('edit_preparation_failure', message);
    }
    const bytes = await loaded.editable.encode(after);
    writes.push({ path, label, bytes, change: { expected: before, text: after } });
  }
  return writes;
}

/** One after the other. When one fails the model has to know which files have the new name by now. */
export async function writeAll(writes: readonly PlannedWrite[], context: ToolContext): Promise<void> {
  for (const [index, { path, bytes, change, label }] of writes.entries()) {
    try {
      context.signal.throwIfAborted();
      await context.writeFile(path, bytes, change);
    } catch (error) {
      const done = writes.slice(0, index).map((write) => write.label);
      const left = writes.slice(index).map((write) => write.label);
      const why = failureText(error);
      const message = context.signal.aborted ? 'The rename was cancelled.' : `${label} could not be written: ${why}`;
      throw new Refused(
        context.signal.aborted ? 'cancelled' : 'file_write_failure',
        `${message}\nChanged: ${done.join(', ') || 'no file'}.\nNot changed: ${left.join(', ')}.`,
      );
    }
  }
}

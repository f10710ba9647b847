import type { ProposedEdit, TextChange, ToolContext } from '../tool.ts';
import { Refused } from './refused.ts';
import { readSource, type SourceText } from './source-text.ts';
import { findFile } from './workspace-file.ts';

interface PlannedWrite {
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
    const source = await readSource(file, context.files, context.signal);
    if (source === undefined || source.text !== before) {
      const message = `${label} was changed in the meantime. Nothing was renamed; call rename_symbol again.`;
      throw new Refused('edit_preparation_failure', message);
    }
    writes.push({ path, label, bytes: await encode(source, after, label), change: { expected: before, text: after } });
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
      const why = error instanceof Error ? error.message : String(error);
      const message = context.signal.aborted ? 'The rename was cancelled.' : `${label} could not be written: ${why}`;
      throw new Refused(
        context.signal.aborted ? 'cancelled' : 'file_write_failure',
        `${message}\nChanged: ${done.join(', ') || 'no file'}.\nNot changed: ${left.join(', ')}.`,
      );
    }
  }
}

/** An open document knows its encoding. Without one only UTF-8 is certain, with or without a byte order mark. */
async function encode(source: SourceText, text: string, label: string): Promise<Uint8Array> {
  if ('document' in source) return source.document.encode(text);
  const encodeUtf8 = (content: string): Buffer => Buffer.from(`${source.decoded.hasBom ? '\uFEFF' : ''}${content}`);
  if (source.decoded.encoding === 'utf-8' && encodeUtf8(source.text).equals(source.bytes)) return encodeUtf8(text);
  const message = `${label} is not UTF-8 and not open in the editor, which knows its encoding. Nothing was changed.`;
  throw new Refused('edit_preparation_failure', message);
}

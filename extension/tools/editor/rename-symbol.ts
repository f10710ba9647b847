import * as z from 'zod';
import { once } from '../../base/once.ts';
import { failureText } from '../../files/file-failure.ts';
import { withLf } from '../../files/line-ends.ts';
import type { EditorPort } from '../../ports/editor.ts';
import type { ProposedEdit, ProposeOutcome, TextChange, Tool, ToolContext } from '../../ports/tool.ts';
import { asInFile } from '../files/edit-tool.ts';
import { loadEditable } from '../files/editable-text.ts';
import { changedBySaving, savingChanges, userChanges } from '../files/saved-text.ts';
import { counted } from '../search/output-text.ts';
import { countText } from '../summary-words.ts';
import { findPosition, hasSymbolOrColumn, NEEDS_SYMBOL_OR_COLUMN, positionShape } from './position.ts';
import { asResult, type EditorAnswer, failureOf, Refused } from './refused.ts';
import { describePlace } from './symbol-places.ts';
import { findFile } from './workspace-file.ts';

const schema = once(() =>
  z
    .strictObject({
      ...positionShape(),
      new_name: z
        .string()
        .max(500)
        .regex(/^[^\r\n\0]*\S[^\r\n\0]*$/, 'must be a name')
        .describe('The new name of the symbol.'),
    })
    .refine(hasSymbolOrColumn, NEEDS_SYMBOL_OR_COLUMN),
);

type Arguments = z.infer<ReturnType<typeof schema>>;

export function createRenameSymbolTool(editor: EditorPort): Tool<ReturnType<typeof schema>> {
  const displayName = 'RenameSymbol';
  const describe: Tool['describe'] = (args, workspace) => {
    const place = describePlace(args, workspace);
    return typeof args['new_name'] === 'string' ? `${place} to ${args['new_name']}` : place;
  };
  return {
    name: 'rename_symbol',
    displayName,
    kind: 'edit',
    mode: 'work',
    description:
      "Renames the symbol on a line and all its uses in the workspace with the editor's language support. Use it instead of " +
      'many replace calls. It changes all files, or none if one of them may not be changed. Texts and comments with the old ' +
      'name stay: find them with grep_search.',
    get schema() {
      return schema();
    },
    reachesFurther: true,
    describe,
    touches: ({ file_path }) => [{ path: file_path, access: 'write' }],
    propose: (args, context) => propose(editor, args, context),
    execute: (args, context) =>
      asResult({ name: displayName, description: describe(args, context.workspace) }, context.signal, async () =>
        apply(approvedEdits(context) ?? (await planRename(editor, args, context)), args, context),
      ),
  };
}

async function propose(editor: EditorPort, args: Arguments, context: ToolContext): Promise<ProposeOutcome> {
  try {
    return { proposal: { kind: 'edit', edits: await planRename(editor, args, context) } };
  } catch (error) {
    return { failed: failureOf(error, context.signal) };
  }
}

/** The approved edits, including the changes that the user made to them. */
function approvedEdits({ approved }: ToolContext): readonly AcceptedEdit[] | undefined {
  if (approved?.proposal?.kind !== 'edit') return undefined;
  const { contents = {} } = approved.answer;
  return approved.proposal.edits.map((edit) => {
    const theirs = contents[edit.path];
    if (theirs === undefined || withLf(theirs) === withLf(edit.after)) return edit;
    return { ...edit, after: asInFile(edit.before, theirs), proposed: edit.after };
  });
}

interface AcceptedEdit extends ProposedEdit {
  /** The text that the rename proposed, if the user changed it. */
  readonly proposed?: string;
}

/** All files that the rename would change. If one of them may not be changed, the whole rename is refused. */
async function planRename(editor: EditorPort, args: Arguments, context: ToolContext): Promise<readonly ProposedEdit[]> {
  const { at, name } = await findPosition(args, context);
  const outcome = await editor.rename(at, args.new_name, context.signal);
  if ('problem' in outcome) {
    throw new Refused('edit_preparation_failure', `"${name}" was not renamed: ${outcome.problem}`);
  }
  const edits = new Map<string, ProposedEdit>();
  for (const { path, before, after } of outcome.files) {
    if (before === after) continue;
    const file = await findFile(path, context);
    if (file === undefined) {
      const message = `"${name}" was not renamed: that would change a file outside the workspace. Nothing was changed.`;
      throw new Refused('path_not_in_workspace', message);
    }
    if (file.hidden !== undefined) {
      const message = `"${name}" was not renamed, and nothing was changed, because that would change ${file.label}. ${file.hidden}`;
      throw new Refused('invalid_tool_params', message);
    }
    if (edits.has(file.path)) {
      const reason = `the editor knows ${file.label} by two names and would change it twice`;
      throw new Refused('edit_preparation_failure', `"${name}" was not renamed: ${reason}. Nothing was changed.`);
    }
    edits.set(file.path, { path: file.path, label: file.label, before, after });
  }
  if (edits.size === 0)
    throw new Refused('edit_no_change', `Renaming "${name}" to "${args.new_name}" changes nothing.`);
  return [...edits.values()];
}

async function apply(edits: readonly AcceptedEdit[], args: Arguments, context: ToolContext): Promise<EditorAnswer> {
  const changed = edits.filter(({ before, after }) => before !== after);
  const writes = await readyToWrite(changed, context);
  await writeAll(writes, context);
  const files = counted(changed.length, 'file');
  const [only] = changed.length === 1 ? changed : [];
  const savedParts = await Promise.all(writes.map((write) => savedPart(write, context)));
  return {
    text: [
      `Renamed to "${args.new_name}". ${files} changed and saved${changed.length === 0 ? '.' : ':'}`,
      ...changed.map(({ label }) => `  ${label}`),
      ...edits.flatMap(userPart),
      ...savedParts.flat(),
    ].join('\n'),
    summary: countText(changed.length, 'file'),
    result: only
      ? { type: 'diff', path: only.label, beforeText: only.before ?? '', afterText: only.after }
      : { type: 'text', text: changed.map(({ label }) => label).join('\n') },
  };
}

function userPart({ label, before, after, proposed }: AcceptedEdit): string[] {
  if (proposed === undefined) return [];
  if (before === after) return [`\n${label} was left as it was: the user did not want it changed.`];
  return [`\n${label}: ${userChanges(proposed, after)}`];
}

async function savedPart({ path, label, change }: PlannedWrite, { files }: ToolContext): Promise<string[]> {
  const saved = changedBySaving(await files.openDocument(path), change.text);
  return saved === undefined ? [] : [`\n${label}: ${savingChanges(change.text, saved)}`];
}

interface PlannedWrite {
  readonly path: string;
  readonly label: string;
  readonly bytes: Uint8Array;
  readonly change: TextChange;
}

/** Checks every file again before the first write, so that either all files are changed as proposed or none. */
async function readyToWrite(edits: readonly ProposedEdit[], context: ToolContext): Promise<readonly PlannedWrite[]> {
  const writes: PlannedWrite[] = [];
  for (const { path, label, before, after } of edits) {
    const file = await findFile(path, context);
    // A link that replaced the file in the meantime would lead elsewhere.
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

/** Writes one file after another. If a write fails, the model must know which files already have the new name. */
async function writeAll(writes: readonly PlannedWrite[], context: ToolContext): Promise<void> {
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

import { dominantLineEnd, withLf, withLineEndsOf } from '../../files/line-ends.ts';
import type { EditorPort } from '../../ports/editor.ts';
import {
  type ProposedEdit,
  type ProposeOutcome,
  type ToolContext,
  type ToolResult,
  type TouchedPath,
  toolError,
} from '../../ports/tool.ts';
import { type EditSummary, editFailed, editResult } from './edit-result.ts';
import { type EditableText, loadEditable } from './editable-text.ts';
import { newProblems } from './new-problems.ts';
import { openDocumentOf } from './open-document.ts';
import { changedBySaving } from './saved-text.ts';
import { guardForWriting, type ToolPath } from './tool-path.ts';
import { changedMeanwhile, writeFailure } from './write-failure.ts';

/** What the tools that change one file have in common; each says only what the file is to become. */
export interface EditKind<Args> {
  readonly displayName: string;
  /** Without effects. */
  compute(args: Args, target: ToolPath, before: string | null, context: ToolContext): Promise<Computed>;
  /** Whether an edit that was approved for one text may be made in another. */
  mayRecompute(args: Args, approvedFor: string | null, now: string | null): boolean;
}

export type Computed =
  | {
      readonly ok: true;
      readonly after: string;
      /** For the model: what happened, once it has. */
      readonly done: string;
    }
  | { readonly ok: false; readonly failed: ToolResult };

interface FileArguments {
  readonly file_path: string;
}

interface EditActions<Args> {
  touches(args: Args): readonly TouchedPath[];
  propose(args: Args, context: ToolContext): Promise<ProposeOutcome>;
  execute(args: Args, context: ToolContext): Promise<ToolResult>;
}

export function editActions<Args extends FileArguments>(
  kind: EditKind<Args>,
  editor: EditorPort | undefined,
): EditActions<Args> {
  return {
    touches: ({ file_path }) => [{ path: file_path, access: 'write' }],
    propose: async (args, context) => {
      const located = await locate(args.file_path, context);
      if (!located.ok) return { failed: editFailed(kind.displayName, located.label, located.failed) };
      const { target, editable } = located;
      const computed = await kind.compute(args, target, editable.before, context);
      if (!computed.ok) return { failed: editFailed(kind.displayName, target.label, computed.failed) };
      const edit = { path: target.guarded.path, label: target.label, before: editable.before, after: computed.after };
      return { proposal: { kind: 'edit', edits: [edit] } };
    },
    execute: async (args, context) => {
      const located = await locate(args.file_path, context);
      if (!located.ok) return editFailed(kind.displayName, located.label, located.failed);
      const { target, editable } = located;
      const decided = await decide(kind, args, target, editable.before, context);
      if (!decided.ok) return editFailed(kind.displayName, target.label, decided.failed);
      return apply(kind.displayName, target, editable, decided, editor, context);
    },
  };
}

type Located =
  | { readonly ok: true; readonly target: ToolPath; readonly editable: EditableText }
  | { readonly ok: false; readonly failed: ToolResult; readonly label: string };

async function locate(path: string, context: ToolContext): Promise<Located> {
  const target = await guardForWriting(path, context);
  if (!target.ok) return target;
  try {
    const loaded = await loadEditable(target, context.files, context.signal);
    return loaded.ok ? { ok: true, target, editable: loaded.editable } : { ...loaded, label: target.label };
  } catch (error) {
    const failed = context.signal.aborted ? cancelled(target.label) : writeFailure(error, target.label);
    return { ok: false, failed, label: target.label };
  }
}

type Decided =
  | { readonly ok: true; readonly after: string; readonly done: string; readonly proposed?: string }
  | { readonly ok: false; readonly failed: ToolResult };

/** What was approved, if something was and it still fits; with the user's own changes to it. */
async function decide<Args>(
  kind: EditKind<Args>,
  args: Args,
  target: ToolPath,
  before: string | null,
  context: ToolContext,
): Promise<Decided> {
  const computed = await kind.compute(args, target, before, context);
  const approved = approvedEdit(context);
  if (!approved) return computed;
  const failed = changedMeanwhile(target.label);
  if (approved.path !== target.guarded.path) return { ok: false, failed };
  const theirs = context.approved?.answer.contents?.[approved.path];
  if (before !== approved.before) {
    const fits = theirs === undefined && kind.mayRecompute(args, approved.before, before);
    return fits && computed.ok ? computed : { ok: false, failed };
  }
  if (!computed.ok) return computed;
  if (theirs === undefined || withLf(theirs) === withLf(approved.after)) return { ...computed, after: approved.after };
  return { ...computed, after: asInFile(before, theirs), proposed: approved.after };
}

function approvedEdit({ approved }: ToolContext): ProposedEdit | undefined {
  return approved?.proposal?.kind === 'edit' ? approved.proposal.edits[0] : undefined;
}

/** A whole new text for a file, with the line ends the file has. */
export function asInFile(before: string | null, text: string): string {
  const usual = dominantLineEnd(before ?? '');
  return usual === undefined ? text : withLineEndsOf(before ?? '', text, usual);
}

async function apply(
  displayName: string,
  target: ToolPath,
  editable: EditableText,
  { after, done, proposed }: Extract<Decided, { ok: true }>,
  editor: EditorPort | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const { guarded, label } = target;
  const { before } = editable;
  const summary: EditSummary = { displayName, label, before, after, done, ...(proposed !== undefined && { proposed }) };
  if (after === before) return editResult({ ...summary, done: `The user's version of ${label} is what it was.` }, '');
  const known = editor?.problems(guarded.editorPath) ?? [];
  try {
    const bytes = await editable.encode(after);
    context.signal.throwIfAborted();
    await context.writeFile(guarded.path, bytes, { expected: before, text: after });
  } catch (error) {
    const failed = context.signal.aborted ? cancelled(label) : writeFailure(error, label);
    return editFailed(displayName, label, failed);
  }
  const saved = changedBySaving(openDocumentOf(guarded, context.files), after);
  const problems = editor ? await newProblems(editor, known, guarded.editorPath, label, context.signal) : '';
  return editResult({ ...summary, ...(saved !== undefined && { saved }) }, problems);
}

function cancelled(label: string): ToolResult {
  return toolError('cancelled', `Changing ${label} was cancelled.`);
}

import { errorCode } from '../../files/error-code.ts';
import { FileFailure, type FileFailureKind, failureText } from '../../files/file-failure.ts';
import { dominantLineEnd, withLf, withLineEndsOf } from '../../files/line-ends.ts';
import type { EditorPort, EditorProblem } from '../../ports/editor.ts';
import {
  type ProposedEdit,
  type ProposeOutcome,
  type ToolContext,
  type ToolErrorType,
  type ToolResult,
  type TouchedPath,
  toolError,
} from '../../ports/tool.ts';
import { type EditSummary, editFailed, editResult } from './edit-result.ts';
import { type EditableText, loadEditable } from './editable-text.ts';
import { openDocumentOf } from './open-document.ts';
import { changedBySaving } from './saved-text.ts';
import { guardForWriting, type ToolPath } from './tool-path.ts';

/** The part that differs between the tools that change one file: computing the new text. */
export interface EditKind<Args> {
  readonly displayName: string;
  /** Is called for the approval and again for the write. */
  compute(args: Args, target: ToolPath, before: string | null, context: ToolContext): Promise<Computed>;
  /** Whether an edit that was approved for one text may be applied to another. */
  mayRecompute(args: Args, approvedFor: string | null, now: string | null): boolean;
}

export type Computed =
  | {
      readonly ok: true;
      readonly after: string;
      /** For the model: what the edit did, for use after it is written. */
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

/** The approved edit with the user's changes, if there is one and it still fits. Otherwise, the computed edit. */
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

/** Converts a whole new text of a file to the file's line ends. */
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
  const saved = changedBySaving(await openDocumentOf(guarded, context.files), after);
  const problems = editor ? await newProblems(editor, known, guarded.editorPath, label, context.signal) : '';
  return editResult({ ...summary, ...(saved !== undefined && { saved }) }, problems);
}

function cancelled(label: string): ToolResult {
  return toolError('cancelled', `Changing ${label} was cancelled.`);
}

/** The result for the model if a file couldn't be written. */
function writeFailure(error: unknown, label: string): ToolResult {
  if (error instanceof FileFailure && error.kind === 'changed_meanwhile') return changedMeanwhile(label);
  const type = error instanceof FileFailure ? TYPE_OF_KIND[error.kind] : TYPE_OF_CODE[errorCode(error) ?? ''];
  return toolError(type ?? 'file_write_failure', `${label} was not written: ${failureText(error)}`);
}

function changedMeanwhile(label: string): ToolResult {
  const message = `${label} was changed by somebody else since this edit was worked out. Nothing was written: read it again.`;
  return toolError('edit_preparation_failure', message);
}

const TYPE_OF_KIND: Readonly<Partial<Record<FileFailureKind, ToolErrorType>>> = {
  no_permission: 'permission_denied',
  folder: 'target_is_directory',
  outside_workspace: 'path_not_in_workspace',
  no_workspace: 'path_not_in_workspace',
  unverifiable: 'path_not_in_workspace',
};

const TYPE_OF_CODE: Readonly<Record<string, ToolErrorType>> = {
  EACCES: 'permission_denied',
  EPERM: 'permission_denied',
  EROFS: 'permission_denied',
  ENOSPC: 'no_space_left',
  EDQUOT: 'no_space_left',
  EISDIR: 'target_is_directory',
};

/** Language servers of medium-sized projects answer in about a second. A longer wait isn't worth it for the model. */
const WAIT_MS = 1500;
const MAX_LISTED = 10;

/** The problems that the editor reports after a change and didn't report before. Empty if there are none. */
async function newProblems(
  editor: EditorPort,
  before: readonly EditorProblem[],
  path: string,
  label: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const after = await editor.problemsAfterChange(path, WAIT_MS, signal);
    return problemList(addedProblems(before, after), label);
  } catch {
    // The edit is written, so this must not look like a failure.
    return `What the editor thinks of ${label} now is not known.`;
  }
}

/** New errors and warnings. Lines are not compared, because an edit moves other problems. */
export function addedProblems(before: readonly EditorProblem[], after: readonly EditorProblem[]): EditorProblem[] {
  const known = new Map<string, number>();
  for (const problem of before.filter(matters)) known.set(keyOf(problem), (known.get(keyOf(problem)) ?? 0) + 1);
  return after.filter(matters).filter((problem) => {
    const left = known.get(keyOf(problem)) ?? 0;
    known.set(keyOf(problem), left - 1);
    return left <= 0;
  });
}

function problemList(problems: readonly EditorProblem[], label: string): string {
  if (problems.length === 0) return '';
  const lines = problems.slice(0, MAX_LISTED).map(({ severity, line, message, source, code }) => {
    const origin = [source, code].filter(Boolean).join(' ');
    return `- line ${line}, ${severity}: ${message}${origin && ` (${origin})`}`;
  });
  const rest = problems.length > MAX_LISTED ? [`- and ${problems.length - MAX_LISTED} more`] : [];
  return [`New problems in ${label}:`, ...lines, ...rest].join('\n');
}

function matters({ severity }: EditorProblem): boolean {
  return severity === 'error' || severity === 'warning';
}

function keyOf({ message, source, code }: EditorProblem): string {
  return JSON.stringify([message, source, code]);
}

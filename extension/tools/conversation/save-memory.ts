import { z } from 'zod';
import { type AllowedPath, guardPath } from '../../policy/path-guard.ts';
import { openRegularFile, readUpTo } from '../../policy/regular-file.ts';
import type { FilePort } from '../../runtime/host.ts';
import { decodeText } from '../files/text-codec.ts';
import { oneLine } from '../one-line.ts';
import { pathLabel } from '../path-label.ts';
import {
  type ProposedEdit,
  type ProposeOutcome,
  type Tool,
  type ToolContext,
  type ToolResult,
  toolError,
} from '../tool.ts';
import { hasMemory, withMemory } from './memory-section.ts';

const DISPLAY_NAME = 'SaveMemory';
const MEMORY_FILE = 'GEMINI.md';
const MAX_FACT_CHARS = 2000;
const MAX_FILE_BYTES = 1024 * 1024;

const memorySchema = z.object({
  fact: z
    .string()
    .max(MAX_FACT_CHARS)
    .refine((fact) => oneLine(fact, MAX_FACT_CHARS) !== '', { error: 'must not be empty' })
    .describe('What to remember, as one sentence that stands for itself.'),
  scope: z
    .literal('project')
    .optional()
    .describe(
      `Only "project", which is also the default: ${MEMORY_FILE} of the workspace. There is no other scope yet.`,
    ),
});

type Change = ProposedEdit & { readonly file: AllowedPath };

/** Memory is an ordinary file that only ever changes by a diff which the user can see. */
export function createSaveMemoryTool(): Tool<typeof memorySchema> {
  return {
    name: 'save_memory',
    displayName: DISPLAY_NAME,
    kind: 'edit',
    description:
      `Remembers a fact about this project for later conversations, by adding it to ${MEMORY_FILE}. Only when the user ` +
      'asks for it, or for a lasting fact that they stated. Nothing secret, nothing that holds only for this conversation.',
    schema: memorySchema,
    describe: ({ fact }) => (typeof fact === 'string' ? oneLine(fact, 200) : ''),
    touches: () => [{ path: MEMORY_FILE, access: 'write' }],
    propose: ({ fact }, context) => propose(fact, context),
    execute: ({ fact }, context) => save(fact, context),
  };
}

async function propose(fact: string, context: ToolContext): Promise<ProposeOutcome> {
  const change = await changeFor(fact, context);
  if ('error' in change) return { failed: change };
  const { file: _, ...edit } = change;
  return { proposal: { kind: 'edit', edits: [edit] } };
}

async function save(fact: string, context: ToolContext): Promise<ToolResult> {
  const change = await changeFor(fact, context);
  if ('error' in change) return change;
  const { path, before, label, file } = change;
  const after = approvedText(change, context);
  if (after === undefined) {
    return toolError('edit_preparation_failure', `${label} was changed after the user saw the diff. Try again.`);
  }
  try {
    const bytes = await encode(after, before, file, context.files);
    await context.writeFile(path, bytes, { expected: before, text: after });
  } catch (error) {
    if (context.signal.aborted) return toolError('cancelled', 'Saving was cancelled.');
    const detail = error instanceof Error ? error.message : String(error);
    return toolError('memory_tool_execution_error', `${label} could not be written: ${detail}`);
  }
  return {
    content: `Saved to ${label}.`,
    display: {
      name: DISPLAY_NAME,
      description: label,
      resultSummary: 'saved',
      result: { type: 'diff', path, beforeText: before ?? '', afterText: after },
    },
  };
}

/** What the user said yes to, with their changes; undefined when the file is no longer what the diff began with. */
function approvedText({ path, before, after }: Change, { approved }: ToolContext): string | undefined {
  if (approved?.proposal?.kind !== 'edit') return after;
  const shown = approved.proposal.edits.find((edit) => edit.path === path);
  return shown?.before === before ? (approved.answer.newContent ?? shown.after) : undefined;
}

async function changeFor(fact: string, context: ToolContext): Promise<Change | (ToolResult & { error: object })> {
  const roots = context.workspace.roots();
  const file = await guardPath(MEMORY_FILE, roots);
  if (!file.allowed) return failed('path_not_in_workspace', file.message);
  const label = pathLabel(file, roots);
  const current = await currentText(file, context.files);
  if ('problem' in current) return failed('memory_tool_execution_error', `${label} ${current.problem}`);
  const { text: before } = current;
  const line = oneLine(fact, MAX_FACT_CHARS);
  if (hasMemory(before ?? '', line)) return failed('edit_no_change', `${label} says this already.`);
  return { path: file.path, label, before, after: withMemory(before ?? '', line), file };
}

async function currentText(
  file: AllowedPath,
  files: FilePort,
): Promise<{ readonly text: string | null } | { readonly problem: string }> {
  const open = files.openDocument(file.editorPath) ?? files.openDocument(file.path);
  if (open) return { text: open.text };
  if (!file.exists) return { text: null };
  const opened = await openRegularFile(file.path);
  if (!opened.opened) return { problem: 'could not be opened as a file.' };
  try {
    const bytes = await readUpTo(opened.handle, opened.size, MAX_FILE_BYTES);
    if (!bytes) return { problem: 'is larger than 1 MB: it is no longer a memory anybody reads.' };
    const { text, hasBom } = decodeText(bytes);
    const isUtf8 = Buffer.from(hasBom ? `\ufeff${text}` : text).equals(bytes);
    // The mark stays part of the text, so that it is written back.
    return isUtf8
      ? { text: hasBom ? `\ufeff${text}` : text }
      : { problem: 'is not UTF-8. Change it with the edit tools.' };
  } finally {
    await opened.handle.close();
  }
}

async function encode(after: string, before: string | null, file: AllowedPath, files: FilePort): Promise<Uint8Array> {
  const open = before === null ? undefined : (files.openDocument(file.editorPath) ?? files.openDocument(file.path));
  return open ? open.encode(after) : Buffer.from(after);
}

function failed(type: NonNullable<ToolResult['error']>['type'], message: string): ToolResult & { error: object } {
  return { content: '', error: { type, message } };
}

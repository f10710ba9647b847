import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { EditorPort, OpenEditor } from '../../ports/editor.ts';
import type { Tool, ToolContext } from '../../ports/tool.ts';
import { countText } from '../summary-words.ts';
import { cut } from './listing.ts';
import { asResult, type EditorAnswer } from './refused.ts';
import { findFile, type WorkspaceFile } from './workspace-file.ts';

/** The limits of Gemini CLI's companion: what the user is looking at, not everything that is open. */
const MAX_EDITORS = 50;
const MAX_SELECTED_CHARS = 16_384;

const schema = once(() => z.strictObject({}));

export function createGetOpenEditorsTool(editor: EditorPort): Tool<ReturnType<typeof schema>> {
  const displayName = 'OpenEditors';
  return {
    name: 'get_open_editors',
    displayName,
    kind: 'read',
    description:
      'Returns the files that the user has open in the editor: which one is active, which have unsaved changes, where the ' +
      'cursor is and what is selected. Use it if the user says "this file" or "here" and their message does not name it.',
    get schema() {
      return schema();
    },
    describe: () => '',
    execute: (_args, context) =>
      asResult({ name: displayName, description: '' }, context.signal, () => report(editor, context)),
  };
}

async function report(editor: EditorPort, context: ToolContext): Promise<EditorAnswer> {
  const open = editor.openEditors();
  const lines: string[] = [];
  const shown = new Set<string>();
  let [outside, budget] = [0, MAX_SELECTED_CHARS];
  for (const one of open.slice(0, MAX_EDITORS)) {
    const file = await findFile(one.path, context);
    if (file === undefined) {
      outside++;
      continue;
    }
    // The file is also open through a link. The active editor comes first in the list.
    if (shown.has(file.path)) continue;
    shown.add(file.path);
    lines.push(headOf(one, file));
    if (one.selection !== undefined && file.hidden === undefined && budget > 0) {
      const { text } = one.selection;
      lines.push(...selected(cut(text, budget), text.length > budget));
      budget = Math.max(0, budget - text.length);
    }
  }
  if (shown.size === 0) lines.push('No file of the workspace is open.');
  if (open.length > MAX_EDITORS) lines.push(`Only the first ${MAX_EDITORS} of ${open.length} open files are shown.`);
  if (outside > 0) lines.push(`${outside} outside the workspace: not shown.`);
  return { text: lines.join('\n'), summary: countText(shown.size, 'file') };
}

function headOf({ isActive, isVisible, isDirty, cursor, selection }: OpenEditor, file: WorkspaceFile): string {
  const range = selection && `lines ${selection.startLine}-${selection.endLine} selected`;
  const facts = [
    isActive ? 'active' : isVisible ? 'visible' : undefined,
    isDirty ? 'unsaved changes' : undefined,
    cursor && `cursor at ${cursor.line}:${cursor.column}`,
    range,
    file.hidden === undefined ? undefined : 'hidden file: without its text',
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? file.label : `${file.label} (${facts.join(', ')})`;
}

function selected(text: string, isCut: boolean): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => `  | ${line}`);
  return isCut ? [...lines, `  [Selected text is cut after ${MAX_SELECTED_CHARS} characters.]`] : lines;
}

import assert from 'node:assert/strict';
import type { Tool, ToolContext, ToolResult } from '../../extension/ports/tool.ts';
import { createReplaceTool } from '../../extension/tools/files/replace.ts';
import { createWriteFileTool } from '../../extension/tools/files/write-file.ts';
import type { EditWorkspace } from './edit-workspace.ts';

export const writeFileTool: Tool = createWriteFileTool();
export const replaceTool: Tool = createReplaceTool();

/** The text for the model from a successful call. */
export function textOf({ content, error }: ToolResult): string {
  assert.equal(error, undefined, error?.message);
  return String(content);
}

export function expectError({ error }: ToolResult, type: string, message?: RegExp): void {
  assert.equal(error?.type, type, error?.message);
  if (message) assert.match(error?.message ?? '', message);
}

/** Calls the tools that edit files, in the current workspace. */
export function editCalls(files: () => EditWorkspace): {
  write(path: string, content: string, changes?: Partial<ToolContext>): Promise<ToolResult>;
  replace(path: string, old: string, text: string, changes?: Partial<ToolContext>): Promise<ToolResult>;
} {
  return {
    write: (path, content, changes) => files().run(writeFileTool, { file_path: path, content }, changes),
    replace: (path, old, text, changes) => {
      const args = { file_path: path, instruction: 'test', old_string: old, new_string: text };
      return files().run(replaceTool, args, changes);
    },
  };
}

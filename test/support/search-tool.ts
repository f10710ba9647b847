import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Tool, ToolContext, ToolResult } from '../../extension/ports/tool.ts';

/** The location of the tests' ripgrep. */
export const RIPGREP_HOME = { assets: resolve('out/assets') };

/** Calls a tool as the scheduler does: with parsed arguments. */
export function callTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
): Promise<ToolResult> {
  return tool.execute(tool.schema.parse(args), context);
}

export function textOf({ content, error }: ToolResult): string {
  assert.equal(error?.message, undefined);
  assert.equal(typeof content, 'string');
  return String(content);
}

export function expectError(result: ToolResult, type: string, message?: RegExp): void {
  assert.equal(result.error?.type, type, JSON.stringify(result));
  if (message) assert.match(result.error?.message ?? '', message);
  assert.equal(result.content, '');
}

import { stat } from 'node:fs/promises';
import { guardPath, type PathRefusal } from '../../policy/path-guard.ts';
import { type ToolErrorType, type ToolResult, toolError } from '../tool.ts';

/** The real folder that a command is to run in: the first one that is open unless another is named. */
export async function commandFolder(
  path: string | undefined,
  roots: readonly string[],
): Promise<{ readonly folder: string } | { readonly failed: ToolResult }> {
  const guarded = await guardPath(path ?? roots[0] ?? '.', roots);
  if (!guarded.allowed) return { failed: toolError(ERROR_OF_REFUSAL[guarded.reason], guarded.message) };
  const stats = await stat(guarded.path).catch(() => undefined);
  if (!stats) return { failed: toolError('file_not_found', `There is no folder "${path}".`) };
  if (!stats.isDirectory()) return { failed: toolError('path_is_not_a_directory', `"${path}" is not a folder.`) };
  return { folder: guarded.path };
}

const ERROR_OF_REFUSAL: Readonly<Record<PathRefusal, ToolErrorType>> = {
  malformed: 'invalid_tool_params',
  no_workspace: 'path_not_in_workspace',
  outside_workspace: 'path_not_in_workspace',
  unverifiable: 'path_not_in_workspace',
  no_permission: 'permission_denied',
};

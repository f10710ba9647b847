import { stat } from 'node:fs/promises';
import { guardPath } from '../../files/path-guard.ts';
import { type ToolResult, toolError } from '../../ports/tool.ts';
import { ERROR_OF_REFUSAL } from '../files/tool-path.ts';

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

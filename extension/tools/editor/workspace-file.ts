import { stat } from 'node:fs/promises';
import { type AllowedPath, guardPath } from '../../files/path-guard.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { missingFile } from '../files/similar-paths.ts';
import { ERROR_OF_REFUSAL, hiddenReason } from '../files/tool-path.ts';
import { pathLabel } from '../path-label.ts';
import { Refused } from './refused.ts';

/** A file of the workspace whose path comes from the model or the editor. */
export interface WorkspaceFile extends AllowedPath {
  /** For people and the model. */
  readonly label: string;
  /** A sentence that says why the text is hidden from the agent. The name is not hidden. */
  readonly hidden: string | undefined;
}

/** Undefined for a path that is not, or not verifiably, in the workspace. */
export async function findFile(path: string, context: ToolContext): Promise<WorkspaceFile | undefined> {
  const guarded = await guardPath(path, context.workspace.roots());
  return guarded.allowed ? withLabel(guarded, context) : undefined;
}

/** The file that the model asks for. Throws `Refused` if it isn't available. */
export async function requireFile(path: string, context: ToolContext): Promise<WorkspaceFile> {
  const guarded = await guardPath(path, context.workspace.roots());
  if (!guarded.allowed) throw new Refused(ERROR_OF_REFUSAL[guarded.reason], guarded.message);
  const file = await withLabel(guarded, context);
  if (!file.exists) {
    const { error } = await missingFile({ ok: true, guarded, label: file.label }, context, 'Find it with glob.');
    throw new Refused('file_not_found', error?.message ?? '');
  }
  if (file.hidden !== undefined) throw new Refused('invalid_tool_params', file.hidden);
  if ((await stat(file.path)).isDirectory()) {
    throw new Refused('target_is_directory', `${file.label} is a folder, not a file. Give one of its files.`);
  }
  return file;
}

async function withLabel(guarded: AllowedPath, context: ToolContext): Promise<WorkspaceFile> {
  const label = pathLabel(guarded, context.workspace.roots());
  return { ...guarded, label, hidden: await hiddenReason(guarded, label, context) };
}

import { stat } from 'node:fs/promises';
import { checkVisibility } from '../../policy/ignore-rules.ts';
import { type AllowedPath, guardPath, type PathRefusal } from '../../policy/path-guard.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import { pathLabel } from '../path-label.ts';
import type { ToolContext, ToolErrorType } from '../tool.ts';
import { Refused } from './refused.ts';

/** A file of the workspace, whether the model wrote its path or the editor came up with it. */
export interface WorkspaceFile extends AllowedPath {
  /** For people and the model. */
  readonly label: string;
  /** Why its text is kept from the agent, as a sentence. Its name may be told. */
  readonly hidden: string | undefined;
}

/** Undefined for what is not in the workspace, or cannot be shown to be. */
export async function findFile(path: string, context: ToolContext): Promise<WorkspaceFile | undefined> {
  const guarded = await guardPath(path, context.workspace.roots());
  return guarded.allowed ? withLabel(guarded, context) : undefined;
}

/** The file that the model asks about. */
export async function requireFile(path: string, context: ToolContext): Promise<WorkspaceFile> {
  const guarded = await guardPath(path, context.workspace.roots());
  if (!guarded.allowed) throw new Refused(ERROR_OF_REFUSAL[guarded.reason], guarded.message);
  const file = await withLabel(guarded, context);
  if (!file.exists) throw new Refused('file_not_found', `File not found: ${file.label}`);
  if (file.hidden !== undefined) throw new Refused('invalid_tool_params', file.hidden);
  if ((await stat(file.path)).isDirectory()) {
    throw new Refused('target_is_directory', `${file.label} is a folder, not a file.`);
  }
  return file;
}

async function withLabel(guarded: AllowedPath, context: ToolContext): Promise<WorkspaceFile> {
  const label = pathLabel(guarded, context.workspace.roots());
  return { ...guarded, label, hidden: await hiddenReason(guarded, label, context) };
}

async function hiddenReason(guarded: AllowedPath, label: string, context: ToolContext): Promise<string | undefined> {
  const visibility = await checkVisibility(guarded);
  if (!visibility.hidden && !looksSecret(guarded.relativePath)) return undefined;
  const isFixed = visibility.hidden && (visibility.by === 'git_folder' || visibility.by === 'unreadable_rules');
  if (!isFixed && context.isNamedByUser(guarded.relativePath)) return undefined;
  const why = visibility.hidden ? `is hidden by ${visibility.source}` : 'looks like a file with secrets';
  return `${label} ${why} and is off limits.`;
}

const ERROR_OF_REFUSAL: Readonly<Record<PathRefusal, ToolErrorType>> = {
  malformed: 'invalid_tool_params',
  no_workspace: 'path_not_in_workspace',
  outside_workspace: 'path_not_in_workspace',
  unverifiable: 'path_not_in_workspace',
  no_permission: 'permission_denied',
};

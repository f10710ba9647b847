import { isAbsolute } from 'node:path';
import { type AllowedPath, guardPath, type PathRefusal, type RefusedPath } from '../../files/path-guard.ts';
import { checkVisibility, type Visibility } from '../../policy/ignore-rules.ts';
import { looksSecret } from '../../policy/secret-files.ts';
import { type ToolContext, type ToolErrorType, type ToolResult, toolError } from '../../ports/tool.ts';
import { pathLabel, unverifiedPathLabel } from '../path-label.ts';

/** A path that was checked for a tool. Tools open `guarded.path` and show `label`. */
export interface ToolPath {
  readonly ok: true;
  readonly guarded: AllowedPath;
  /** For people and for the model. */
  readonly label: string;
}

export interface RefusedToolPath {
  readonly ok: false;
  readonly failed: ToolResult;
  readonly label: string;
}

type PathContext = Pick<ToolContext, 'workspace' | 'isNamedByUser'>;

export interface PathOptions {
  /** Whether the path is a folder, so that ignore rules for folders apply. */
  readonly isFolder?: boolean;
}

/** The only way from a path of the model to a file or folder that a tool reads. */
export function guardForReading(
  path: string,
  context: PathContext & Pick<ToolContext, 'readableFolders'>,
  options: PathOptions = {},
): Promise<ToolPath | RefusedToolPath> {
  return guardWith(path, context, context.readableFolders, 'read', options);
}

/** The only way to a file that a tool writes. It need not exist. Outside the workspace, only plans are allowed. */
export function guardForWriting(
  path: string,
  context: PathContext & Pick<ToolContext, 'session'>,
): Promise<ToolPath | RefusedToolPath> {
  const { plansFolder } = context.session;
  return guardWith(path, context, plansFolder === undefined ? [] : [plansFolder], 'changed', {});
}

/** The reason why a checked file may not be used, for tools that find files by themselves. */
export async function hiddenReason(
  guarded: AllowedPath,
  label: string,
  context: Pick<ToolContext, 'isNamedByUser'>,
  done: 'read' | 'changed' = 'read',
  { isFolder = false }: PathOptions = {},
): Promise<string | undefined> {
  const { realRoot, relativePath } = guarded;
  const visibility = await checkVisibility({ realRoot, relativePath, isFolder });
  if (visibility.hidden && !canBeNamed(visibility)) return hardMessage(label, visibility, done);
  const isSecret = !isFolder && looksSecret(relativePath);
  if ((!visibility.hidden && !isSecret) || context.isNamedByUser(relativePath)) return undefined;
  const why = visibility.hidden ? `is hidden by ${visibility.source}` : 'looks like a file with secrets';
  return `${label} ${why} and was not ${done}. If you need it, ask the user to name it in a message: ${relativePath}`;
}

async function guardWith(
  path: string,
  context: PathContext,
  furtherFolders: readonly string[],
  done: 'read' | 'changed',
  options: PathOptions,
): Promise<ToolPath | RefusedToolPath> {
  const further = await inFurtherFolders(path, furtherFolders);
  // These files are meant for the agent, so ignore rules of a surrounding workspace don't apply.
  if (further) return { ok: true, guarded: further, label: further.path };
  const roots = context.workspace.roots();
  const guarded = await guardPath(path, roots);
  if (!guarded.allowed) return refused(guarded, unverifiedPathLabel(path, roots));
  const label = pathLabel(guarded, roots);
  const reason = await hiddenReason(guarded, label, context, done, options);
  if (reason !== undefined) return { ok: false, failed: toolError('invalid_tool_params', reason), label };
  return { ok: true, guarded, label };
}

/** Only absolute paths can lead there; a relative path means the workspace. */
async function inFurtherFolders(path: string, folders: readonly string[]): Promise<AllowedPath | undefined> {
  if (folders.length === 0 || !(isAbsolute(path) || /^file:/i.test(path))) return undefined;
  const guarded = await guardPath(path, folders);
  return guarded.allowed && !looksSecret(guarded.relativePath) ? guarded : undefined;
}

function refused({ reason, message }: RefusedPath, label: string): RefusedToolPath {
  return { ok: false, failed: toolError(ERROR_OF_REFUSAL[reason], message), label };
}

type Hidden = Extract<Visibility, { hidden: true }>;

function canBeNamed({ by }: Hidden): boolean {
  return by !== 'git_folder' && by !== 'unreadable_rules';
}

function hardMessage(label: string, { by, source }: Hidden, done: string): string {
  if (by === 'git_folder') return `${label} belongs to Git's own data, which is off limits. Use git commands instead.`;
  return `${label} was not ${done}: the ignore rules in ${source} could not be checked.`;
}

/** The error type for each reason why the path guard refuses a path. */
export const ERROR_OF_REFUSAL: Readonly<Record<PathRefusal, ToolErrorType>> = {
  malformed: 'invalid_tool_params',
  no_workspace: 'path_not_in_workspace',
  outside_workspace: 'path_not_in_workspace',
  unverifiable: 'path_not_in_workspace',
  no_permission: 'permission_denied',
};

import { errorCode } from '../../files/error-code.ts';
import { FileFailure, type FileFailureKind, failureText } from '../../files/file-failure.ts';
import { type ToolErrorType, type ToolResult, toolError } from '../../ports/tool.ts';

/** What the model gets when a file could not be written. */
export function writeFailure(error: unknown, label: string): ToolResult {
  if (error instanceof FileFailure && error.kind === 'changed_meanwhile') return changedMeanwhile(label);
  const type = error instanceof FileFailure ? TYPE_OF_KIND[error.kind] : TYPE_OF_CODE[errorCode(error) ?? ''];
  return toolError(type ?? 'file_write_failure', `${label} was not written: ${failureText(error)}`);
}

export function changedMeanwhile(label: string): ToolResult {
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

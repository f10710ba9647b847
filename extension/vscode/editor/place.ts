import { basename } from 'node:path';
import * as vscode from 'vscode';
import { fileLabel, type LineRange } from '../../protocol/words/labels.ts';

/** The name of a file or folder, for the user and for the model. */
export interface Place {
  /** The short name. */
  readonly label: string;
  /** The path relative to its workspace folder, after the folder's name if there are several. Absent outside. */
  readonly path?: string;
}

export function placeOf(uri: vscode.Uri, range?: LineRange): Place {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || uri.scheme !== 'file') {
    const label = fileLabel(uri.path, range);
    return uri.scheme === 'file' ? { label: `${label} (outside the workspace)` } : { label };
  }
  const several = (vscode.workspace.workspaceFolders ?? []).length > 1;
  if (uri.path === folder.uri.path) return { label: basename(uri.path), path: several ? folder.name : '.' };
  return {
    label: fileLabel(uri.path, range, several ? folder.name : undefined),
    path: vscode.workspace.asRelativePath(uri, several),
  };
}

/** If a selection ends at the start of a line, that line is not included. */
export function lineRangeOf({ start, end }: vscode.Range): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { startLine: start.line + 1, endLine: last + 1 };
}

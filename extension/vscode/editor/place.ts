import { basename } from 'node:path';
import * as vscode from 'vscode';
import { fileLabel, type LineRange } from '../../protocol/words/labels.ts';

/** How a file or folder is named to the user and to the model. */
export interface Place {
  /** Short. */
  readonly label: string;
  /** Relative to its workspace folder, after the folder's name when there are several. Absent outside of them all. */
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

/** A selection that ends before the first character of a line has nothing of that line. */
export function lineRangeOf({ start, end }: vscode.Range): LineRange {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { startLine: start.line + 1, endLine: last + 1 };
}

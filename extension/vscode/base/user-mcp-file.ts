import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';

/**
 * The path of VS Code's user-level `mcp.json`. Extensions only learn the path of their own storage, which is `<user
 * data>/User/globalStorage/<id>` in every profile, so only the file of the default profile can be found.
 */
export function userMcpFile({ scheme, fsPath }: Pick<vscode.Uri, 'scheme' | 'fsPath'>): string | undefined {
  const storage = dirname(fsPath);
  return scheme === 'file' && basename(storage) === 'globalStorage' ? join(dirname(storage), 'mcp.json') : undefined;
}

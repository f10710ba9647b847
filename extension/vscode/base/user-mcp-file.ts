import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';

/**
 * The user's own `mcp.json` of VS Code. An extension is not told where it is, only where its own files go, which is
 * `<user data>/User/globalStorage/<id>` in every profile: so the file of another profile than the default one is not known.
 */
export function userMcpFile({ scheme, fsPath }: Pick<vscode.Uri, 'scheme' | 'fsPath'>): string | undefined {
  const storage = dirname(fsPath);
  return scheme === 'file' && basename(storage) === 'globalStorage' ? join(dirname(storage), 'mcp.json') : undefined;
}

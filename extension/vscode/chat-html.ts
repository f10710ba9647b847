import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelPage } from './panel-page.ts';

/** Folders the panel may load from. */
export function panelRoots(extension: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extension, 'dist', 'webview')];
}

export function panelHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  return panelPage({
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
    asset: (name) => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', name)).toString(),
  });
}

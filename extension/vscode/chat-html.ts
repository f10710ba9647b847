import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Folders the panel may load from. */
export function panelRoots(extension: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extension, 'dist', 'webview')];
}

/** The UI toolkit tries out an empty <style>; this is the hash of exactly that. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** Nothing but our own script, style and font: no remote content, no inline style, no forms. */
export function contentSecurityPolicy(source: string, nonce: string): string {
  return [
    `default-src 'none'`,
    `img-src ${source} data:`,
    `font-src ${source}`,
    `style-src ${source} ${EMPTY_STYLE}`,
    `script-src 'nonce-${nonce}'`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ');
}

export function panelHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const asset = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', name)).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(webview.cspSource, nonce)}">
<link rel="stylesheet" href="${asset('main.css')}">
<title>Gantry</title>
</head>
<body>
<gantry-panel></gantry-panel>
<script type="module" nonce="${nonce}" src="${asset('main.js')}"></script>
</body>
</html>`;
}

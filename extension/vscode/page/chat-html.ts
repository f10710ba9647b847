import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { PageLanguage } from '../../protocol/panel/page-data.ts';
import { elsewherePage, type PanelPlace, panelPage } from './panel-page.ts';

/** Folders the panel may load from. */
export function panelRoots(extension: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extension, 'dist', 'webview')];
}

export function panelHtml(webview: vscode.Webview, extension: vscode.Uri, carried?: string): string {
  return panelPage(placeOf(webview, extension), carried);
}

/** The page in the side bar while the panel is an editor. */
export function elsewhereHtml(webview: vscode.Webview, extension: vscode.Uri): string {
  return elsewherePage(placeOf(webview, extension));
}

/** The display language of VS Code, with Gantry's texts in it. */
export function pageLanguage(): PageLanguage {
  return { tag: vscode.env.language, texts: vscode.l10n.bundle };
}

function placeOf(webview: vscode.Webview, extension: vscode.Uri): PanelPlace {
  return {
    cspSource: webview.cspSource,
    nonce: randomBytes(16).toString('base64url'),
    language: pageLanguage(),
    asset: (name) => webview.asWebviewUri(vscode.Uri.joinPath(extension, 'dist', 'webview', name)).toString(),
  };
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { guardPath } from '../../files/path-guard.ts';
import { withoutLinks } from '../base/escape-ui-text.ts';
import { fileFolders } from '../base/workspace.ts';

/** Opens a file that the conversation mentions. The path is the model's, so it must be a file of this workspace. */
export async function openFileLink(path: string, line?: number): Promise<void> {
  const roots = fileFolders().map((folder) => folder.uri.fsPath);
  const found = await guardPath(path, roots);
  if (!found.allowed) {
    const text = l10n.t("Gantry can't open this link. {0} is outside the open folders or can't be accessed.", path);
    await vscode.window.showWarningMessage(withoutLinks(text));
    return;
  }
  if (!found.exists) {
    await vscode.window.showWarningMessage(withoutLinks(l10n.t('There is no file {0} in this workspace.', path)));
    return;
  }
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(found.editorPath), {
    selection: new vscode.Range(at, at),
    preview: true,
  });
}

/** Opens a web address that the conversation mentions, after showing it in full and asking the user. */
export async function openWebLink(url: string): Promise<void> {
  const target = webUrl(url);
  if (!target) {
    await vscode.window.showWarningMessage(l10n.t('Gantry opens web and mail addresses only.'));
    return;
  }
  const open = l10n.t('Open');
  const choice = await vscode.window.showWarningMessage(
    l10n.t('Open this address from the conversation?'),
    { modal: true, detail: target.href },
    open,
  );
  if (choice === open) await vscode.env.openExternal(vscode.Uri.parse(target.href, true));
}

/** Opens an exported page in the browser, or as text if it is on another machine or no browser opens it. */
export async function openExportedPage(page: vscode.Uri): Promise<void> {
  const isHere = page.scheme === 'file' && vscode.env.remoteName === undefined;
  if (!isHere || !(await vscode.env.openExternal(page))) await vscode.window.showTextDocument(page);
}

function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url : undefined;
}

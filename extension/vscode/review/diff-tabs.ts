import * as vscode from 'vscode';

/** The scheme of documents with proposed texts. They exist in memory only. */
export const PROPOSAL_SCHEME = 'gantry-proposal';

/** The diff editors of documents with this scheme, or of this document, in all groups. */
export function diffTabs(of: string | vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      if (!(input instanceof vscode.TabInputTextDiff)) return false;
      return typeof of === 'string' ? input.modified.scheme === of : input.modified.toString() === of.toString();
    });
}

/** Whether a diff shows it, alone or with others. A document may stay open for minutes after its tab is closed. */
export function isShown(uri: vscode.Uri): boolean {
  const { visibleTextEditors } = vscode.window;
  return (
    diffTabs(uri).length > 0 || visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString())
  );
}

/** Closes tabs without moving the focus. */
export async function closeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/**
 * The column for a diff that opens by itself. VS Code moves the focus when it replaces the active editor, so the diff
 * opens in another group while the user works in an editor.
 */
export function columnFor(userIsInEditor: boolean): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (!userIsInEditor || activeTabGroup.activeTab === undefined) return vscode.ViewColumn.Active;
  return all.find((group) => group !== activeTabGroup)?.viewColumn ?? vscode.ViewColumn.Beside;
}

import * as vscode from 'vscode';

/** Of documents that hold what a file would become. They live in memory only. */
export const PROPOSAL_SCHEME = 'gantry-proposal';

/** Diff editors of documents with this scheme, in all groups; or of this document. */
export function diffTabs(of: string | vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      if (!(input instanceof vscode.TabInputTextDiff)) return false;
      return typeof of === 'string' ? input.modified.scheme === of : input.modified.toString() === of.toString();
    });
}

/** Whether a diff has it, alone or among others. A document may be open for minutes after its tab was closed. */
export function isShown(uri: vscode.Uri): boolean {
  const { visibleTextEditors } = vscode.window;
  return (
    diffTabs(uri).length > 0 || visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString())
  );
}

/** Focus stays where it is. */
export async function closeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/**
 * Where a diff goes that nobody asked for. VS Code takes the keyboard from an editor whose place is taken, so one that the
 * user works in keeps its group: the diff goes into another one.
 */
export function columnFor(userIsInEditor: boolean): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  if (!userIsInEditor || activeTabGroup.activeTab === undefined) return vscode.ViewColumn.Active;
  return all.find((group) => group !== activeTabGroup)?.viewColumn ?? vscode.ViewColumn.Beside;
}

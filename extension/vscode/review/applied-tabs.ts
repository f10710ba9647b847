import * as vscode from 'vscode';

/** Tabs of a file, or diffs whose left side has this scheme; of one address, or of all. */
export function tabsOf(scheme: string, uri?: vscode.Uri): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      const shown = shownBy(input);
      return shown?.scheme === scheme && (uri === undefined || shown.toString() === uri.toString());
    });
}

/** What has unsaved text stays: closing it would ask about that. Focus stays where it is. */
export async function closeUnchanged(tabs: readonly vscode.Tab[]): Promise<void> {
  const clean = tabs.filter(({ isDirty }) => !isDirty);
  if (clean.length > 0) await vscode.window.tabGroups.close(clean, true);
}

function shownBy(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.original;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

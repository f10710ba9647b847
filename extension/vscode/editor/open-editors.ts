import * as vscode from 'vscode';
import type { OpenEditor } from '../../ports/editor.ts';
import { lineRangeOf } from './place.ts';

/** Returns one entry for each file that has a tab: the active one first, then visible ones, then the rest. */
export function openEditors(): readonly OpenEditor[] {
  const byPath = new Map<string, OpenEditor>();
  for (const group of vscode.window.tabGroups.all) {
    for (const tab of group.tabs) {
      const uri = fileOf(tab.input);
      if (uri === undefined) continue;
      const known = byPath.get(uri.fsPath);
      byPath.set(uri.fsPath, {
        path: uri.fsPath,
        isActive: (group.isActive && tab.isActive) || known?.isActive === true,
        isDirty: tab.isDirty || known?.isDirty === true,
        isVisible: tab.isActive || known?.isVisible === true,
        ...cursorIn(uri),
      });
    }
  }
  const rank = ({ isActive, isVisible }: OpenEditor): number => (isActive ? 0 : isVisible ? 1 : 2);
  return [...byPath.values()].sort((left, right) => rank(left) - rank(right));
}

function fileOf(input: unknown): vscode.Uri | undefined {
  const uri = uriOf(input);
  return uri?.scheme === 'file' ? uri : undefined;
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const hasUri =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook;
  return hasUri ? input.uri : undefined;
}

/** Reads the cursor from the editor that was used last if several show the file. */
function cursorIn(uri: vscode.Uri): Pick<OpenEditor, 'cursor' | 'selection'> {
  const shows = (editor: vscode.TextEditor | undefined): boolean => editor?.document.uri.toString() === uri.toString();
  const active = vscode.window.activeTextEditor;
  const editor = shows(active) ? active : vscode.window.visibleTextEditors.find(shows);
  if (editor === undefined) return {};
  const { selection, document } = editor;
  const cursor = { line: selection.active.line + 1, column: selection.active.character + 1 };
  if (selection.isEmpty) return { cursor };
  const text = document.getText(selection);
  return { cursor, selection: { ...lineRangeOf(selection), text } };
}

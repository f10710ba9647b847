import * as vscode from 'vscode';
import { errorCode } from '../../files/error-code.ts';

/**
 * Opens a file with a text to fill in. A file that doesn't exist is made when the user saves it, so that nothing counts
 * before, and nothing is left if they change their mind.
 */
export async function openNewFile(path: string, snippet: string): Promise<void> {
  const editor = await openEditor(path);
  if (editor.document.getText() === '') await editor.insertSnippet(new vscode.SnippetString(snippet));
}

/** Adds a text to fill in at the end of a file, as an edit that can be undone. `header` is for a file without text. */
export async function addToFile(path: string, snippet: string, header: string): Promise<void> {
  const editor = await openEditor(path);
  const { document } = editor;
  const end = document.lineAt(document.lineCount - 1).range.end;
  const all = document.getText();
  const before = all.trimEnd();
  const lineEnds = all.slice(before.length).split('\n').length - 1;
  const text = before === '' ? `${header}\n${snippet}` : `${'\n'.repeat(Math.max(0, 2 - lineEnds))}${snippet}`;
  editor.selection = new vscode.Selection(end, end);
  await editor.insertSnippet(new vscode.SnippetString(text), end);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

export async function fileExists(path: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.file(path));
    return true;
  } catch (error) {
    if (errorCode(error) === 'FileNotFound') return false;
    throw error;
  }
}

async function openEditor(path: string): Promise<vscode.TextEditor> {
  const file = vscode.Uri.file(path);
  const uri = (await fileExists(path)) ? file : file.with({ scheme: 'untitled' });
  return vscode.window.showTextDocument(uri, { preview: false });
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/poll.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

/** Files on disk and the editors that tests open for them; `dispose` closes these and leaves nothing unsaved. */
export class Editors {
  private readonly registered: vscode.Disposable[] = [];

  private constructor(readonly folder: TempFolder) {}

  static async create(): Promise<Editors> {
    return new Editors(await tempFolder('editors'));
  }

  path(name: string): string {
    return join(this.folder.path, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    await writeFile(this.path(name), content);
    return this.path(name);
  }

  async open(name: string, encoding?: string): Promise<vscode.TextDocument> {
    const uri = vscode.Uri.file(this.path(name));
    return encoding === undefined
      ? vscode.workspace.openTextDocument(uri)
      : vscode.workspace.openTextDocument(uri, { encoding });
  }

  /** As the user would. */
  async type(document: vscode.TextDocument, text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    // It says no while it still takes in what the disk has, and then nothing was changed.
    await eventually('VS Code to take the edit', async () => vscode.workspace.applyEdit(edit));
  }

  /** Kept until `dispose`. */
  keep(...registered: readonly vscode.Disposable[]): void {
    this.registered.push(...registered);
  }

  async dispose(): Promise<void> {
    for (const one of this.registered) one.dispose();
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('notifications.clearAll');
    await this.folder.dispose();
  }
}

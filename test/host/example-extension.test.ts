import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The example extension', () => {
  it('asks the agent about the open file, and opens the answer beside it', async () => {
    const [readme] = await vscode.workspace.findFiles('README.md');
    assert.ok(readme);
    await vscode.window.showTextDocument(readme);
    await vscode.commands.executeCommand('exampleExtension.explainFile');
    const answer = vscode.window.activeTextEditor;
    assert.equal(answer?.document.languageId, 'markdown');
    assert.equal(answer?.viewColumn, vscode.ViewColumn.Two);
    assert.match(answer.document.getText(), /not an AI/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});

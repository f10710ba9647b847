import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ShownRequest } from '../../extension/vscode/panel/shown-request.ts';
import { eventually } from '../support/poll.ts';
import { usePanelWindow } from './use-panel-window.ts';

describe('What the Model Gets, in VS Code', () => {
  const panel = usePanelWindow();
  let shown: ShownRequest;
  afterEach(() => shown.dispose());

  const open = async (isTrusted: boolean): Promise<void> => {
    await panel.open({ trusted: isTrusted });
    shown = new ShownRequest(panel.window.session);
  };
  const documents = (): readonly vscode.TextDocument[] =>
    vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'gantry-request');
  const tabs = (): number =>
    vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ label }) => /What the Model Gets/.test(label))
      .length;

  it('says that nothing was sent yet', async () => {
    await open(true);
    await shown.show();
    assert.deepEqual(documents(), []);
    assert.match(panel.answers.said.join(), /Nothing was sent to a model/);
  });

  for (const isTrusted of [true, false]) {
    it(`opens beside the editor, and is updated there, in a ${isTrusted ? 'trusted folder' : 'folder in Restricted Mode'}`, async () => {
      await open(isTrusted);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'mine' }));
      panel.gemini.reply('Hello.');
      await panel.window.ask('A first question');
      await shown.show();
      const editor = vscode.window.activeTextEditor;
      assert.equal(editor?.document.languageId, 'markdown');
      assert.equal(editor?.viewColumn, vscode.ViewColumn.Two);
      assert.match(editor?.document.getText() ?? '', /A first question/);
      panel.gemini.reply('Hello again.');
      await panel.window.ask('A second question');
      await shown.show();
      const { document } = editor ?? {};
      await eventually('the second question', () => /A second question/.test(document?.getText() ?? ''));
      assert.equal(tabs(), 1);
    });
  }

  it('has links from the table to its parts', async () => {
    await open(true);
    panel.gemini.reply('Hello.');
    await panel.window.ask('Hi');
    await shown.show();
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    // VS Code's Markdown server follows the document with a delay.
    const links = await eventually('a link in each row', async () => {
      const wanted = [...document.getText().matchAll(/\(#(.*?)\)\**(?: \(\d+\))? \|$/gm)].map(([, slug]) => `#${slug}`);
      const all = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
        1000,
      );
      const isWhole = wanted.some((link) => link.endsWith('-message-1-user'));
      return isWhole && all.map(({ range }) => document.getText(range)).join() === wanted.join() && all;
    });
    for (const { range, target } of links) {
      const link = document.getText(range);
      assert.ok(target, link);
      const line = Number(/L(\d+)/.exec(target.fragment)?.[1] ?? Number.NaN);
      assert.match(document.lineAt(line - 1).text, /^#{2,3} /, `${link}: ${target.toString()}`);
    }
  });
});

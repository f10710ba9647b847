import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { vscodeEditor } from '../../extension/vscode/editor/editor-port.ts';
import type { ReviewItem } from '../../extension/vscode/review/review-source.ts';
import { call } from '../support/gemini/script.ts';
import { eventually } from '../support/poll.ts';
import { detail } from './detail.ts';
import { ReviewDesk } from './review-desk.ts';

const NAMES = ['a.tongue', 'b.tongue', 'c.tongue'];
const RENAME = call('rename_symbol', { file_path: 'a.tongue', line: 1, symbol: 'old', new_name: 'fresh' });

describe('Reviewing one edit of several files', function () {
  this.timeout(60_000);
  let desk: ReviewDesk;
  let provider: vscode.Disposable;

  beforeEach(async () => {
    desk = await ReviewDesk.create(Object.fromEntries(NAMES.map((name) => [name, 'old\n'])), vscodeEditor());
    const provideRenameEdits: vscode.RenameProvider['provideRenameEdits'] = async (_document, _position, newName) => {
      const edit = new vscode.WorkspaceEdit();
      for (const name of NAMES) {
        const document = await vscode.workspace.openTextDocument(vscode.Uri.file(desk.path(name)));
        const start = document.positionAt(document.getText().indexOf('old'));
        edit.replace(document.uri, new vscode.Range(start, start.translate(0, 3)), newName);
      }
      return edit;
    };
    provider = vscode.languages.registerRenameProvider(
      { scheme: 'file', pattern: '**/*.tongue' },
      { provideRenameEdits },
    );
  });
  afterEach(async () => {
    await desk.dispose();
    provider.dispose();
  });

  const texts = (): Promise<string[]> => Promise.all(NAMES.map((name) => desk.text(name)));
  const idOf = (items: readonly ReviewItem[], name: string): string =>
    items.find(({ label }) => label === name)?.id ?? '';

  it('keeps the verdicts on some of them over a reload, wherever the rest is answered', async () => {
    const items = await desk.propose([RENAME], 3);
    await desk.review.proposed.reject(idOf(items, 'b.tongue'));
    await desk.reload();
    await desk.waiting(2);
    await desk.onCard('once');
    await eventually('the yes to be followed', async () => (await desk.text('a.tongue')) === 'fresh\n');
    await desk.told();
    assert.deepEqual(await texts(), ['fresh\n', 'old\n', 'fresh\n']);
  });

  detail('asks again about one that was accepted when its text is another one by now', async () => {
    const items = await desk.propose([RENAME], 3);
    await desk.review.proposed.accept(idOf(items, 'b.tongue'));
    await desk.review.proposed.accept(idOf(items, 'c.tongue'));
    await desk.type(await vscode.workspace.openTextDocument(vscode.Uri.file(desk.path('b.tongue'))), 0, 'more\n');
    const now = await eventually('the question about both', () => {
      const { items: waiting } = desk.review.reviews;
      return waiting.length === 2 && waiting;
    });
    assert.deepEqual(
      now.map(({ label }) => label),
      ['a.tongue', 'b.tongue'],
    );
    assert.deepEqual(await texts(), ['old\n', 'old\n', 'old\n']);
    for (const { id } of now) await desk.review.proposed.accept(id);
    await desk.told();
    assert.deepEqual(await texts(), ['fresh\n', 'more\nfresh\n', 'fresh\n']);
  });
});

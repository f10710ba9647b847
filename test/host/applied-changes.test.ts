import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { openDocument, unsavedText } from '../../extension/vscode/editor/open-documents.ts';
import { EXTENSION_ID } from '../../extension/vscode/names.ts';
import type { AppliedChanges } from '../../extension/vscode/review/applied-changes.ts';
import { AppliedMarks } from '../../extension/vscode/review/applied-marks.ts';
import type { ReviewItem } from '../../extension/vscode/review/review-source.ts';
import { call } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { eventually } from '../support/poll.ts';
import { testHost } from '../support/test-host.ts';
import { Editors } from './editors.ts';
import { PanelWindow } from './panel-window.ts';

const lines = (...of: readonly string[]): string => of.map((line) => `${line}\n`).join('');
const BEFORE = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const AFTER = lines('a', 'B', 'c', 'd', 'e', 'f', 'G', 'h');

describe('Changes that were applied before anybody looked', () => {
  let editors: Editors;
  let endpoint: GeminiEndpoint;
  let roots: string[];
  let window: PanelWindow;
  let applied: AppliedChanges;
  let marks: AppliedMarks;

  beforeEach(async () => {
    editors = await Editors.create();
    endpoint = await startGeminiEndpoint();
    roots = [join(editors.folder.path, 'one'), join(editors.folder.path, 'two')];
    for (const root of roots) await mkdir(root);
    const environment = { GOOGLE_GEMINI_BASE_URL: endpoint.url };
    const host = testHost({ sessions: editors.path('sessions'), environment, approvalMode: 'autoEdit' });
    const assets = join(vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath ?? '', 'dist', 'assets');
    const workspace = { roots: () => roots, isTrusted: () => true };
    window = new PanelWindow({ ...host, assets, workspace, files: { unsavedText, openDocument } }, new Map());
    window.end.say({ type: 'ready' });
    applied = window.applied;
    marks = new AppliedMarks(applied);
  });
  afterEach(async () => {
    marks.dispose();
    await window.close();
    await endpoint.dispose();
    await editors.dispose();
  });

  const until = (holds: () => void): Promise<boolean> =>
    eventually('what waits to be so', () => {
      holds();
      return true;
    });

  const content = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

  /** In autoEdit, so nobody is asked. */
  async function agent(path: string, text: string): Promise<void> {
    endpoint.reply(call('write_file', { file_path: path, content: text }));
    endpoint.reply('done');
    await window.ask('Go on');
  }

  async function changedFile(name = 'one/a.txt', before = BEFORE, after = AFTER): Promise<string> {
    const path = await editors.write(name, before);
    await agent(path, after);
    await until(() => assert.ok(itemAt(path)));
    return path;
  }

  const itemAt = (path: string): ReviewItem | undefined => applied.items.find((item) => item.path === path);
  const idOf = (path: string): string => itemAt(path)?.id ?? '';
  const open = (path: string): Promise<vscode.TextDocument> =>
    Promise.resolve(vscode.workspace.openTextDocument(vscode.Uri.file(path)));
  const badge = (path: string): string | undefined => marks.provideFileDecoration(vscode.Uri.file(path))?.badge;

  async function edit(document: vscode.TextDocument, line: number, text: string): Promise<void> {
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, new vscode.Position(line, 0), text);
    // It says no while it still takes in what the disk has, and then nothing was changed.
    await eventually('VS Code to take the edit', async () => vscode.workspace.applyEdit(change));
  }

  it('are listed and marked until they are accepted', async () => {
    const path = await changedFile();
    const { added, removed, style, isNew, conflict } = itemAt(path) ?? {};
    assert.deepEqual(
      { added, removed, style, isNew, conflict },
      { added: 2, removed: 2, style: 'applied', isNew: false, conflict: undefined },
    );
    assert.equal(badge(path), 'Δ');
    await applied.accept(idOf(path));
    assert.deepEqual([applied.items, badge(path)], [[], undefined]);
    assert.equal(await content(path), AFTER);
  });

  it('are put back to the byte when they are rejected, whatever encoding the editor has them in', async () => {
    const path = await editors.write('one/latin.txt', Buffer.from('caf\xe9\nb\n', 'latin1'));
    await vscode.workspace.openTextDocument(vscode.Uri.file(path), { encoding: 'iso88591' });
    await agent(path, 'caf\xe9\nB\n');
    await until(() => assert.equal(itemAt(path)?.added, 1));
    await applied.reject(idOf(path));
    assert.deepEqual(await readFile(path), Buffer.from('caf\xe9\nb\n', 'latin1'));
    assert.deepEqual(applied.items, []);
  });

  it('are shown against what was there, and nothing opens by itself', async () => {
    const path = await changedFile();
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0);
    await applied.open(idOf(path), { preserveFocus: false });
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.modified.fsPath, path);
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), BEFORE);
    await applied.accept(idOf(path));
    await until(() => assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0));
  });

  it('are decided place by place', async () => {
    const path = await changedFile();
    const document = await open(path);
    const [first, second] = applied.hunksOf(document);
    assert.ok(first && second);
    await applied.rejectHunk(document, first);
    assert.equal(await content(path), lines('a', 'b', 'c', 'd', 'e', 'f', 'G', 'h'));
    await until(() => assert.equal(applied.hunksOf(document).length, 1));
    const [left] = applied.hunksOf(document);
    assert.ok(left);
    await applied.acceptHunk(document, left);
    assert.deepEqual(applied.items, []);
    assert.equal(await content(path), lines('a', 'b', 'c', 'd', 'e', 'f', 'G', 'h'));
  });

  it('keep the verdict on one place when the agent continues with another', async () => {
    const path = await changedFile();
    const document = await open(path);
    const [first] = applied.hunksOf(document);
    assert.ok(first);
    await applied.acceptHunk(document, first);
    await agent(path, AFTER.replace('d\n', 'D\n'));
    await until(() =>
      assert.deepEqual(
        applied.hunksOf(document).map(({ before }) => before),
        ['d\n', 'g\n'],
      ),
    );
  });

  it('are not accepted with what came after the list was drawn', async () => {
    const path = await changedFile();
    const id = idOf(path);
    await agent(path, AFTER.replace('d\n', 'D\n'));
    await until(() => assert.equal(itemAt(path)?.added, 3));
    const { reviews } = window;
    await assert.rejects(reviews.decideItem(id, 'accept'), /no longer what you saw/);
    await assert.rejects(reviews.decideAll('accept', [id]), /no longer what you saw/);
    assert.equal(applied.items.length, 1);
    await reviews.decideAll('accept', [idOf(path)]);
    assert.deepEqual(applied.items, []);
    // It was decided and is not another one: there is nothing to tell.
    await reviews.decideAll('accept', [id]);
  });

  it('are found in an editor that has the file open through a link', async () => {
    const path = await changedFile();
    await symlink(dirname(path), editors.path('link'));
    const document = await open(editors.path('link/a.txt'));
    await until(() => assert.equal(applied.itemOf(document)?.path, path));
    assert.equal(applied.hunksOf(document).length, 2);
    await edit(document, 4, 'mine\n');
    await until(() => assert.equal(applied.hunksOf(document).length, 2));
    await applied.reject(idOf(path));
    assert.equal(document.getText(), BEFORE.replace('e\n', 'mine\ne\n'));
  });

  it("leave the user's own edits where they are, saved or not", async () => {
    const path = await changedFile();
    const document = await open(path);
    await edit(document, 4, 'mine\n');
    await until(() => assert.equal(itemAt(path)?.added, 2));
    assert.equal(itemAt(path)?.conflict, undefined);
    await applied.reject(idOf(path));
    assert.equal(document.getText(), BEFORE.replace('e\n', 'mine\ne\n'));
    assert.deepEqual(applied.items, []);
  });

  it('are not taken back where the user edited the same lines, but can be place by place', async () => {
    const path = await changedFile();
    const document = await open(path);
    await edit(document, 1, 'my ');
    await until(() => assert.match(itemAt(path)?.conflict ?? '', /same lines/));
    await assert.rejects(applied.reject(idOf(path)), /same lines/);
    assert.match(document.getText(), /my B/);
    const second = applied.hunksOf(document)[1];
    assert.ok(second);
    await applied.rejectHunk(document, second);
    assert.equal(document.getText(), lines('a', 'my B', 'c', 'd', 'e', 'f', 'g', 'h'));
  });

  it('are not taken back together with what the user edited between two of them', async () => {
    const path = await changedFile();
    await editors.write('one/a.txt', AFTER.replace('d\n', 'mine\n'));
    await agent(path, AFTER.replace('d\n', 'mine\n').replace('h\n', 'H\n'));
    await until(() => assert.match(itemAt(path)?.conflict ?? '', /between two of Gantry's changes/));
    await assert.rejects(applied.reject(idOf(path)), /between two of Gantry's changes/);
    assert.match((await content(path)) ?? '', /mine/);
  });

  it('of a new file are removed with it, and its tab', async () => {
    const path = editors.path('one/new.txt');
    await agent(path, 'new\n');
    await until(() => assert.equal(itemAt(path)?.isNew, true));
    await vscode.window.showTextDocument(await open(path));
    await applied.reject(idOf(path));
    assert.equal(await content(path), undefined);
    await until(() => assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 0));
    await agent(path, 'again\n');
    await until(() => assert.ok(itemAt(path)));
    await edit(await open(path), 0, 'mine\n');
    await until(() => assert.match(itemAt(path)?.conflict ?? '', /not deleted/));
    await assert.rejects(applied.reject(idOf(path)), /not deleted/);
    assert.equal(await content(path), 'again\n');
  });

  it('say so when the file was deleted or moved, and can be taken off the list', async () => {
    const [deleted, moved] = [await changedFile('one/deleted.txt'), await changedFile('one/moved.txt')];
    await rm(deleted);
    await rename(moved, editors.path('one/elsewhere.txt'));
    for (const path of [deleted, moved]) {
      await until(() => assert.match(itemAt(path)?.conflict ?? '', /moved or deleted/));
      await assert.rejects(applied.reject(idOf(path)), /moved or deleted/);
      await applied.accept(idOf(path));
      assert.equal(await content(path), undefined);
    }
    assert.deepEqual(applied.items, []);
    assert.equal(await content(editors.path('one/elsewhere.txt')), AFTER);
  });

  it('follow a file that is changed outside the editor', async () => {
    const path = await changedFile();
    await editors.write('one/a.txt', AFTER.replace('d\n', 'outside\n'));
    await applied.reject(idOf(path));
    assert.equal(await content(path), BEFORE.replace('d\n', 'outside\n'));
  });

  it('of another folder are the same, and one that is not open any more is left alone with a reason', async () => {
    const path = await changedFile('two/b.txt');
    roots = roots.filter((root) => root !== dirname(path));
    await assert.rejects(applied.reject(idOf(path)), /was not changed/);
    assert.equal(await content(path), AFTER);
    assert.equal(applied.items.length, 1);
    await applied.accept(idOf(path));
    assert.deepEqual(applied.items, []);
  });

  it('cannot be taken back from an editor that cannot save, and still wait then', async () => {
    const path = await changedFile();
    const document = await open(path);
    await edit(document, 4, 'mine\n');
    // A folder in its place: nothing can be written there.
    await rm(path);
    await mkdir(path);
    await assert.rejects(applied.reject(idOf(path)), /changed/);
    assert.match(document.getText(), /mine/);
    assert.equal(applied.items.length, 1);
    await rm(path, { recursive: true });
  });
});

import assert from 'node:assert/strict';
import { mkdir, readFile, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { OpenDocument } from '../../extension/ports/workspace.ts';
import { openDocument, unsavedText } from '../../extension/vscode/editor/open-documents.ts';
import { encodeWithBom } from '../support/encoded-text.ts';
import { Editors } from './editors.ts';

describe('Open documents', () => {
  let editors: Editors;

  beforeEach(async () => {
    editors = await Editors.create();
  });
  afterEach(() => editors.dispose());

  function opened(path: string): OpenDocument {
    const document = openDocument(path);
    assert.ok(document, `${path} is not open`);
    return document;
  }

  const encodings: readonly {
    readonly title: string;
    readonly encoding?: string;
    readonly before: Uint8Array;
    readonly text: string;
    readonly changed: string;
    readonly after: Uint8Array;
  }[] = [
    {
      title: 'UTF-8',
      before: Buffer.from('grün\nb\n'),
      text: 'grün\nb\n',
      changed: 'blau 🙂\nb\n',
      after: Buffer.from('blau 🙂\nb\n'),
    },
    {
      title: 'CRLF',
      before: Buffer.from('a\r\nb\r\n'),
      text: 'a\r\nb\r\n',
      changed: 'a\r\nx\r\nb\r\n',
      after: Buffer.from('a\r\nx\r\nb\r\n'),
    },
    {
      title: 'UTF-8 with a byte order mark',
      before: encodeWithBom('ä\n', 'utf-8'),
      text: 'ä\n',
      changed: 'ö\n',
      after: encodeWithBom('ö\n', 'utf-8'),
    },
    {
      title: 'UTF-16 LE',
      before: encodeWithBom('ä🙂\r\n', 'utf-16le'),
      text: 'ä🙂\r\n',
      changed: 'ä🙃\r\n',
      after: encodeWithBom('ä🙃\r\n', 'utf-16le'),
    },
    {
      title: 'UTF-16 BE',
      before: encodeWithBom('ä\n', 'utf-16be'),
      text: 'ä\n',
      changed: 'ß\n',
      after: encodeWithBom('ß\n', 'utf-16be'),
    },
    {
      title: 'Windows 1252',
      encoding: 'windows1252',
      before: Buffer.from('caf\xe9\n', 'latin1'),
      text: 'café\n',
      changed: 'thé\n',
      after: Buffer.from('th\xe9\n', 'latin1'),
    },
  ];
  for (const { title, encoding, before, text, changed, after } of encodings) {
    it(`keep their encoding: ${title}`, async () => {
      const path = await editors.write('a.txt', before);
      await editors.open('a.txt', encoding);
      const document = opened(path);
      assert.equal(document.text, text);
      assert.deepEqual(new Uint8Array(await document.encode(changed)), new Uint8Array(after));
      assert.equal(await document.replace(text, changed), 'saved');
      assert.deepEqual(new Uint8Array(await readFile(path)), new Uint8Array(after));
      assert.equal(document.text, changed);
      assert.equal(document.isDirty, false);
    });
  }

  it('are not there for a file that nobody opened', async () => {
    assert.equal(openDocument(await editors.write('a.txt', 'a')), undefined);
    assert.equal(openDocument(editors.path('missing.txt')), undefined);
  });

  it('have the unsaved text, which a change is made to and saved with', async () => {
    const path = await editors.write('a.txt', 'saved\n');
    await editors.type(await editors.open('a.txt'), 'typed\n');
    const document = opened(path);
    assert.equal(document.isDirty, true);
    assert.equal(document.text, 'typed\nsaved\n');
    assert.equal(unsavedText(path), 'typed\nsaved\n');
    assert.equal(await document.replace('typed\nsaved\n', 'typed\nchanged\n'), 'saved');
    assert.equal(await readFile(path, 'utf8'), 'typed\nchanged\n');
    assert.equal(unsavedText(path), undefined);
  });

  it('are saved even if the text is already there', async () => {
    const path = await editors.write('a.txt', '');
    await editors.type(await editors.open('a.txt'), 'typed');
    assert.equal(await opened(path).replace('typed', 'typed'), 'saved');
    assert.equal(await readFile(path, 'utf8'), 'typed');
  });

  it('are found by their real path when they were opened through a link, and the other way round', async () => {
    await mkdir(editors.path('real'));
    await symlink(editors.path('real'), editors.path('link'));
    await editors.write('real/a.txt', 'a');
    await editors.write('real/b.txt', 'b');
    await editors.type(await editors.open('link/a.txt'), '1');
    await editors.open('real/b.txt');
    assert.equal(unsavedText(editors.path('real/a.txt')), '1a');
    assert.equal(opened(editors.path('link/b.txt')).text, 'b');
    assert.equal(await opened(editors.path('real/a.txt')).replace('1a', '2a'), 'saved');
    assert.equal(await readFile(join(editors.folder.path, 'real/a.txt'), 'utf8'), '2a');
  });

  it('are left alone when they have another text by now', async () => {
    const path = await editors.write('a.txt', 'one\n');
    const shown = await editors.open('a.txt');
    const document = opened(path);
    await editors.type(shown, 'typed ');
    assert.equal(await document.replace('one\n', 'two\n'), 'stale');
    assert.equal(document.text, 'typed one\n');
    assert.equal(await readFile(path, 'utf8'), 'one\n');
  });

  it('get the old text back with one undo', async () => {
    const path = await editors.write('a.txt', 'one\ntwo\nthree\n');
    await vscode.window.showTextDocument(await editors.open('a.txt'));
    const document = opened(path);
    assert.equal(await document.replace('one\ntwo\nthree\n', 'eins\ntwo\ndrei\n'), 'saved');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.text, 'one\ntwo\nthree\n');
    await vscode.commands.executeCommand('redo');
    assert.equal(document.text, 'eins\ntwo\ndrei\n');
  });

  it('leave the cursor where it is when text before it changes', async () => {
    const path = await editors.write('a.txt', 'one\ntwo\nthree\n');
    const editor = await vscode.window.showTextDocument(await editors.open('a.txt'));
    editor.selection = new vscode.Selection(2, 1, 2, 3);
    await opened(path).replace('one\ntwo\nthree\n', 'one\nand\ntwo\nthree\n');
    assert.deepEqual(
      [editor.selection.start.line, editor.selection.start.character, editor.selection.end.character],
      [3, 1, 3],
    );
  });

  it('have their text again when it could not be saved', async () => {
    const path = await editors.write('a.txt', 'one\n');
    await editors.open('a.txt');
    const document = opened(path);
    // Nobody can write to this, not even root, for whom a read-only file is writable.
    await rm(path);
    await mkdir(path);
    assert.equal(await document.replace('one\n', 'two\n'), 'not_saved');
    assert.equal(document.text, 'one\n');
    await rmdir(path);
    await editors.write('a.txt', 'one\n');
  });

  it('keep what was typed while they could not be saved', async () => {
    const path = await editors.write('a.txt', 'one\n');
    const shown = await editors.open('a.txt');
    const document = opened(path);
    editors.keep(vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(editors.type(shown, 'typed '))));
    await rm(path);
    await mkdir(path);
    assert.equal(await document.replace('one\n', 'two\n'), 'not_saved');
    assert.equal(document.text, 'typed two\n');
    await rmdir(path);
    await editors.write('a.txt', 'one\n');
  });

  it('do not overwrite what somebody else wrote to the file meanwhile', async () => {
    const path = await editors.write('a.txt', 'one\n');
    // Unsaved changes keep VS Code from taking the new text by itself.
    await editors.type(await editors.open('a.txt'), 'typed ');
    await writeFile(path, 'by another program\n');
    const document = opened(path);
    assert.equal(await document.replace('typed one\n', 'typed two\n'), 'not_saved');
    assert.equal(document.text, 'typed one\n');
    assert.equal(await readFile(path, 'utf8'), 'by another program\n');
  });

  it('take a change while VS Code has a newer version of them with the same text', async () => {
    const path = await editors.write('a.txt', 'one\n');
    const { uri } = await editors.open('a.txt');
    const same = new vscode.WorkspaceEdit();
    same.replace(uri, new vscode.Range(0, 0, 0, 3), 'one');
    const applied = vscode.workspace.applyEdit(same);
    assert.equal(await opened(path).replace('one\n', 'two\n'), 'saved');
    assert.equal(await applied, true);
    assert.equal(await readFile(path, 'utf8'), 'two\n');
  });

  it('may be formatted while they are saved', async () => {
    const path = await editors.write('a.txt', 'one\n');
    await editors.open('a.txt');
    editors.keep(
      vscode.workspace.onWillSaveTextDocument((event) =>
        event.waitUntil(Promise.resolve([vscode.TextEdit.insert(new vscode.Position(0, 0), '// ')])),
      ),
    );
    assert.equal(await opened(path).replace('one\n', 'two\n'), 'saved');
    assert.equal(await readFile(path, 'utf8'), '// two\n');
  });
});

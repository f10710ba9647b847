import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ToolContext } from '../../extension/ports/tool.ts';
import { createRenameSymbolTool } from '../../extension/tools/editor/rename-symbol.ts';
import { vscodeEditor } from '../../extension/vscode/editor/editor-port.ts';
import { openDocument, unsavedText } from '../../extension/vscode/editor/open-documents.ts';
import { encodeWithBom } from '../support/encoded-text.ts';
import { createToolContext } from '../support/tool-context.ts';
import { Editors } from './editors.ts';

describe('Renaming through the editor', () => {
  let editors: Editors;

  beforeEach(async () => {
    editors = await Editors.create();
  });
  afterEach(() => editors.dispose());

  it('changes files that are open, unsaved or neither, each in its encoding', async () => {
    await editors.write('a.tongue', 'use old\r\n');
    await editors.write('b.tongue', 'old\n');
    await editors.write('c.tongue', encodeWithBom('old ä\n', 'utf-16le'));
    await editors.type(await editors.open('b.tongue'), 'typed ');
    const provideRenameEdits: vscode.RenameProvider['provideRenameEdits'] = async (_document, _position, newName) => {
      const edit = new vscode.WorkspaceEdit();
      for (const name of ['a.tongue', 'b.tongue', 'c.tongue']) {
        const document = await editors.open(name);
        const start = document.positionAt(document.getText().indexOf('old'));
        edit.replace(document.uri, new vscode.Range(start, start.translate(0, 3)), newName);
      }
      return edit;
    };
    const selector = { scheme: 'file', pattern: '**/*.tongue' };
    editors.keep(vscode.languages.registerRenameProvider(selector, { provideRenameEdits }));
    const tool = createRenameSymbolTool(vscodeEditor());
    const writeFile: ToolContext['writeFile'] = async (path, bytes, change) => {
      assert.ok(change);
      assert.equal(await openDocument(path)?.replace(change.expected ?? '', change.text), 'saved');
      assert.deepEqual(new Uint8Array(await readFile(path)), new Uint8Array(bytes ?? []));
    };
    const context = createToolContext([editors.folder.path], { files: { unsavedText, openDocument }, writeFile });
    const args = { file_path: 'a.tongue', line: 1, symbol: 'old', new_name: 'fresh' };
    const { content, error } = await tool.execute(args, context);
    assert.equal(error, undefined);
    assert.match(String(content), /3 files changed and saved/);
    assert.equal(await readFile(editors.path('a.tongue'), 'utf8'), 'use fresh\r\n');
    assert.equal(await readFile(editors.path('b.tongue'), 'utf8'), 'typed fresh\n');
    assert.deepEqual(
      new Uint8Array(await readFile(editors.path('c.tongue'))),
      new Uint8Array(encodeWithBom('fresh ä\n', 'utf-16le')),
    );
  });
});

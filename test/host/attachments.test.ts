import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ContentPart } from '../../extension/protocol/agent/content-part.ts';
import { addCommands } from '../../extension/vscode/context/add-commands.ts';
import { Attachments } from '../../extension/vscode/context/attachments.ts';
import { KeptAttachments } from '../../extension/vscode/context/kept-attachments.ts';
import { readAttached } from '../../extension/vscode/context/panel-context.ts';
import { openDocument, unsavedText } from '../../extension/vscode/editor/open-documents.ts';
import { Commands } from '../../extension/vscode/names.ts';
import { RuntimeLoader } from '../../extension/vscode/runtime-loader.ts';
import { testHost } from '../support/test-host.ts';
import { Editors } from './editors.ts';
import { stateIn } from './panel-window.ts';

describe('Adding to the chat', () => {
  let editors: Editors;
  let runtime: RuntimeLoader;
  let attachments: Attachments;
  let kept: Map<string, unknown>;
  let focused: number;
  let run: ReturnType<typeof addCommands>;

  beforeEach(async () => {
    editors = await Editors.create();
    runtime = new RuntimeLoader({ ...testHost(), files: { unsavedText, openDocument } });
    kept = new Map();
    attachments = newAttachments();
    focused = 0;
    run = addCommands({
      attachments: () => attachments,
      focusChat: async () => {
        focused++;
      },
    });
  });
  afterEach(async () => {
    attachments.dispose();
    await runtime.dispose();
    await editors.dispose();
  });

  function newAttachments(): Attachments {
    return new Attachments(readAttached(runtime), new KeptAttachments(stateIn(kept), testHost().log));
  }

  const labels = (): string[] => attachments.items.map(({ label }) => label);
  const texts = (parts: readonly ContentPart[]): string[] =>
    parts.map((part) => (part.type === 'reference' ? part.text : ''));
  const uri = (name: string): vscode.Uri => vscode.Uri.file(editors.path(name));

  async function openWith(name: string, text: string, ...selections: vscode.Selection[]): Promise<vscode.TextEditor> {
    await editors.write(name, text);
    const editor = await vscode.window.showTextDocument(await editors.open(name));
    if (selections.length > 0) editor.selections = selections;
    return editor;
  }

  it('takes each selection as it is at that moment', async () => {
    const editor = await openWith(
      'a.txt',
      'one\ntwo\nthree\n',
      new vscode.Selection(0, 0, 1, 0),
      new vscode.Selection(1, 1, 2, 2),
    );
    await run[Commands.addSelection]();
    await editors.type(editor.document, 'new ');
    assert.deepEqual(labels(), ['a.txt:1 (outside the workspace)', 'a.txt:2-3 (outside the workspace)']);
    assert.deepEqual(texts(await attachments.take()), ['one\n', 'wo\nth']);
    assert.equal(focused, 1);
  });

  it('keeps what was added and not sent for after a reload', async () => {
    const { document } = await openWith('a.txt', 'one\ntwo\n', new vscode.Selection(0, 0, 0, 3));
    await run[Commands.addSelection]();
    await run[Commands.addFile](document.uri);
    const before = attachments.items;
    attachments.dispose();
    attachments = newAttachments();
    assert.deepEqual(attachments.items, before);
    assert.deepEqual(texts(await attachments.take()), ['one', 'one\ntwo\n']);
    assert.deepEqual(newAttachments().items, []);
    kept.set('gantry.attachments', [{ from: 'another version' }]);
    assert.deepEqual(newAttachments().items, []);
  });

  it('adds nothing, and says so, when nothing is selected', async () => {
    await openWith('a.txt', 'one');
    await run[Commands.addSelection]();
    assert.deepEqual([labels(), focused], [[], 0]);
  });

  it('takes a file as it is when the message is sent, unsaved changes included', async () => {
    const { document } = await openWith('a.txt', 'one');
    await run[Commands.addFile](document.uri);
    await editors.type(document, 'typed ');
    assert.deepEqual(texts(await attachments.take()), ['typed one']);
  });

  it('takes all that is selected in the Explorer, once each, folders as folders', async () => {
    await editors.write('a.txt', 'a');
    await vscode.workspace.fs.createDirectory(uri('folder'));
    await run[Commands.addFile](uri('a.txt'), [uri('a.txt'), uri('folder')]);
    await run[Commands.addFile](uri('a.txt'), [uri('a.txt')]);
    assert.deepEqual(
      attachments.items.map(({ kind }) => kind),
      ['folder', 'file'],
    );
    assert.deepEqual(texts(await attachments.take()), ['(It is empty.)', 'a']);
  });

  it('takes the active file from the palette, also one that was never saved', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'draft' });
    await vscode.window.showTextDocument(document);
    await run[Commands.addFile]();
    assert.deepEqual(texts(await attachments.take()), ['draft']);
  });

  it('takes a problem with the lines around it, from the quick fix and from the palette', async () => {
    const editor = await openWith('a.txt', 'one\ntwo\nthree\n');
    const problems = vscode.languages.createDiagnosticCollection('test');
    editors.keep(problems);
    const problem = new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), 'Not a number');
    problems.set(editor.document.uri, [problem]);
    await run[Commands.addProblem](editor.document.uri, problem);
    await run[Commands.addProblem]();
    assert.deepEqual(labels(), ['a.txt:2 (outside the workspace) Not a number']);
    const [text = ''] = texts(await attachments.take());
    assert.match(text, /^Line 2: error: Not a number\n\n {2}1 \| one\n> 2 \| two\n {2}3 \| three/);
  });

  it('offers a problem to the chat among its quick fixes', async () => {
    await vscode.extensions.getExtension('gantry.gantry')?.activate();
    const editor = await openWith('a.txt', 'one\n');
    const problems = vscode.languages.createDiagnosticCollection('test');
    editors.keep(problems);
    const range = new vscode.Range(0, 0, 0, 3);
    problems.set(editor.document.uri, [new vscode.Diagnostic(range, 'Wrong')]);
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      editor.document.uri,
      range,
    );
    const offered = actions.filter(({ command }) => command?.command === Commands.addProblem);
    assert.deepEqual(
      offered.map(({ title }) => title),
      ['Add to Gantry Chat'],
    );
  });

  it('keeps all of them when one cannot be read, and gives back what went with a message that was refused', async () => {
    await editors.write('a.txt', 'a');
    await run[Commands.addFile](uri('a.txt'));
    attachments.add({ kind: 'file', label: 'gone.txt', content: { uri: uri('gone.txt') } });
    await assert.rejects(attachments.take(), /gone\.txt could not be attached\. It no longer exists/);
    assert.equal(attachments.items.length, 2);
    attachments.remove(attachments.items[1]?.id ?? '');
    const [sent] = attachments.items;
    await attachments.take();
    assert.deepEqual(labels(), []);
    attachments.giveBack([sent?.id ?? '', 'unknown']);
    assert.deepEqual(attachments.items, [sent]);
  });
});

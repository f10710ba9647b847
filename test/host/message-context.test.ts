import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { vscodeEditor } from '../../extension/vscode/editor/editor-port.ts';
import { gate } from '../support/gemini/gate.ts';
import { hold } from '../support/gemini/script.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { type TestHost, type TestHostOptions, testHost } from '../support/test-host.ts';
import { Editors } from './editors.ts';
import { PanelWindow } from './panel-window.ts';

describe('What goes with a message of the panel', () => {
  let sessions: TempFolder;
  let editors: Editors;
  let host: TestHost;
  let window: PanelWindow;
  let kept: Map<string, unknown>;
  let gemini: GeminiEndpoint | undefined;

  beforeEach(async () => {
    sessions = await tempFolder('sessions');
    editors = await Editors.create();
    kept = new Map();
    window = openWindow();
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
  });
  afterEach(async () => {
    await window.close();
    await gemini?.dispose();
    gemini = undefined;
    await editors.dispose();
    await sessions.dispose();
  });

  function openWindow(options: TestHostOptions = {}): PanelWindow {
    const roots = [editors.folder.path];
    host = { ...testHost({ sessions: sessions.path, roots, ...options }), editor: vscodeEditor() };
    return new PanelWindow(host, kept);
  }

  const chip = () => window.end.posted.findLast((message) => message.type === 'editor')?.chip;
  const posted = () => window.end.posted.findLast((message) => message.type === 'attachments')?.attachments;
  const messages = () => window.session.entries.filter((entry): entry is Message => entry.kind === 'user');

  async function show(name: string, text: string): Promise<vscode.TextEditor> {
    await editors.write(name, text);
    return vscode.window.showTextDocument(await editors.open(name), { preview: false });
  }

  it('follows the cursor while the panel is seen, and says exactly what would be sent', async () => {
    const editor = await show('a.txt', 'one\ntwo\n');
    await window.end.waitUntil(() => chip()?.label === 'a.txt');
    editor.selection = new vscode.Selection(0, 0, 1, 1);
    await window.end.waitUntil(() => chip()?.label === 'a.txt:1-2');
    assert.deepEqual(chip(), { label: 'a.txt:1-2', summary: 'a.txt, lines 1-2 selected', included: true });
    window.end.hide();
    const count = window.end.posted.length;
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await window.context.includeEditor(true);
    assert.equal(window.end.posted.length, count);
  });

  it('is switched off for the workspace, and stays off in its next window', async () => {
    await show('a.txt', 'one');
    await window.end.waitUntil(() => chip()?.included === true);
    window.end.say({ type: 'includeEditor', included: false });
    await window.end.waitUntil(() => chip()?.included === false);
    await window.ask('Without');
    assert.equal(messages()[0]?.editor, undefined);
    await window.close();
    window = new PanelWindow(host, kept);
    window.end.say({ type: 'ready' });
    await window.end.waitUntil(() => chip()?.included === false);
    window.end.say({ type: 'includeEditor', included: true });
    await window.end.waitUntil(() => chip()?.included === true);
    await window.ask('With');
    assert.equal(messages().at(-1)?.editor, 'a.txt');
  });

  it('is never sent when the setting says no, and there is no chip then', async () => {
    const settings = vscode.workspace.getConfiguration('gantry');
    await show('a.txt', 'one');
    await window.end.waitUntil(() => chip()?.label === 'a.txt');
    await settings.update('context.editor', false, vscode.ConfigurationTarget.Global);
    try {
      await window.end.waitUntil(() => chip() === undefined);
      await window.ask('Without');
      assert.equal(messages()[0]?.editor, undefined);
    } finally {
      await settings.update('context.editor', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('tells again only what changed, also after the session was resumed', async () => {
    await show('a.txt', 'one');
    await window.ask('First');
    await window.ask('Second');
    assert.deepEqual(
      messages().map(({ editor }) => editor),
      ['a.txt', undefined],
    );
    await window.close();
    window = new PanelWindow(host, kept);
    window.end.say({ type: 'ready' });
    await window.session.restore();
    await window.ask('Third');
    assert.equal(messages()[2]?.editor, undefined);
    await show('b.txt', 'two');
    await window.ask('Fourth');
    assert.equal(messages()[3]?.editor, 'b.txt');
  });

  it('is shown to a page that comes later, leaves with the message, and comes back with one that is withdrawn', async () => {
    gemini = await startGeminiEndpoint();
    gemini.reply(hold(gate()), 'Too late');
    await window.close();
    window = openWindow({ baseUrl: gemini.url });
    window.context.attachments.add({ kind: 'terminal', label: 'bash, 1 line', content: { text: 'failed' } });
    window.end.hide();
    window.end.posted.length = 0;
    window.end.show();
    window.end.say({ type: 'ready' });
    await window.end.waitUntil(() => posted()?.[0]?.label === 'bash, 1 line');
    window.end.say({ type: 'send', ref: 1, text: 'Go' });
    await window.end.waitUntil(() => posted()?.length === 0);
    window.context.attachments.add({ kind: 'terminal', label: 'zsh, 2 lines', content: { text: 'failed again' } });
    window.end.say({ type: 'send', ref: 2, text: 'then this', delivery: 'queue' });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === 2 && message);
    assert.deepEqual(
      messages().map(({ attachments = [], pending }) => [pending, ...attachments.map(({ label }) => label)]),
      [
        [undefined, 'bash, 1 line'],
        ['queue', 'zsh, 2 lines'],
      ],
    );
    assert.deepEqual(posted(), []);
    await window.session.stop();
    await window.end.waitUntil(() => posted()?.[0]?.label === 'zsh, 2 lines');
  });

  it('stays when the message is refused', async () => {
    const large = { kind: 'terminal', label: 'bash', content: { text: 'x'.repeat(2_000_000) } } as const;
    window.context.attachments.add(large);
    window.end.say({ type: 'send', ref: 1, text: 'Why?' });
    const { refused } = await window.end.waitFor('sent');
    assert.match(refused?.title ?? '', /^bash is too large to attach/);
    assert.deepEqual(
      posted()?.map(({ label }) => label),
      ['bash'],
    );
    window.end.say({ type: 'removeAttachment', id: posted()?.[0]?.id });
    await window.end.waitUntil(() => posted()?.length === 0);
  });

  it('is not shared with the window of another workspace', async () => {
    const other = new PanelWindow(host, new Map());
    try {
      other.end.say({ type: 'ready' });
      await other.end.waitFor('transcript');
      await show('a.txt', 'one');
      window.context.attachments.add({ kind: 'terminal', label: 'bash', content: { text: 'x' } });
      await window.context.includeEditor(false);
      await window.ask('Only here');
      await other.end.waitUntil(() =>
        other.end.posted.some((message) => message.type === 'editor' && message.chip?.included === true),
      );
      assert.deepEqual(other.context.attachments.items, []);
      assert.deepEqual([other.session.entries, other.session.id], [[], undefined]);
    } finally {
      await other.close();
    }
  });
});

type Message = Extract<Entry, { kind: 'user' }>;

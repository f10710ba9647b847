import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Suggestion } from '../../extension/protocol/input-to-panel.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { pngAddress } from '../support/panel/picture.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { type TestHostOptions, testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';

describe('The input, in VS Code', () => {
  const kept = new Map<string, unknown>();
  let sessions: TempFolder;
  let window: PanelWindow;
  let gemini: GeminiEndpoint | undefined;
  let asked = 0;

  beforeEach(async () => {
    kept.clear();
    sessions = await tempFolder('sessions');
  });
  afterEach(async () => {
    await window.close();
    await gemini?.dispose();
    gemini = undefined;
    await sessions.dispose();
  });

  async function open(options: TestHostOptions = {}): Promise<void> {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    const roots = root ? [root.uri.fsPath] : [];
    window = new PanelWindow(testHost({ sessions: sessions.path, roots, ...options }), kept);
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
  }

  const items = (id: number): Suggestion[] => {
    const lists = window.end.posted.flatMap((message) => (message.type === 'suggestions' ? [message] : []));
    return lists.findLast((list) => list.id === id)?.groups.flatMap((group) => group.items) ?? [];
  };

  async function suggested(about: 'mention' | 'command', query: string, label: string): Promise<Suggestion> {
    const id = ++asked;
    window.end.say({ type: 'suggest', id, about, query });
    const named = (): Suggestion | undefined => items(id).find((item) => item.label === label);
    await window.end.waitUntil(() => named() !== undefined);
    const found = named();
    assert.ok(found);
    return found;
  }

  const attached = (): string[] => window.context.attachments.items.map(({ kind, label }) => `${kind} ${label}`);

  async function slash(text: string): Promise<string | undefined> {
    const ref = ++asked;
    window.end.say({ type: 'slash', ref, text });
    const answer = await window.end.waitUntilFound(
      (message) => message.type === 'sent' && message.ref === ref && message,
    );
    return answer.refused?.title;
  }

  it('offers files of the workspace, and attaches the one that is taken', async () => {
    await open();
    const { id, insert } = await suggested('mention', 'readme', 'README.md');
    assert.equal(insert, '@README.md ');
    window.end.say({ type: 'mention', id });
    await window.end.waitUntil(() => attached().length === 1);
    assert.deepEqual(attached(), ['file README.md']);
    window.end.say({ type: 'mention', id: '/etc/passwd' });
    await suggested('mention', 'readme', 'README.md');
    assert.deepEqual(attached(), ['file README.md']);
  });

  it('offers a file that was made since, and no longer one that is gone', async () => {
    await open();
    await suggested('mention', 'readme', 'README.md');
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const uri = vscode.Uri.joinPath(root.uri, 'made-meanwhile.txt');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('new'));
    try {
      const isThere = async (): Promise<boolean> => {
        const id = ++asked;
        window.end.say({ type: 'suggest', id, about: 'mention', query: 'meanwhile' });
        await window.end.waitUntil(() =>
          window.end.posted.some((message) => message.type === 'suggestions' && message.id === id),
        );
        return items(id).some(({ label }) => label === 'made-meanwhile.txt');
      };
      while (!(await isThere()));
      await vscode.workspace.fs.delete(uri);
      while (await isThere());
    } finally {
      await Promise.resolve(vscode.workspace.fs.delete(uri)).catch(() => undefined);
    }
  });

  it('runs commands: what there is not is refused, and what is asked for is done', async () => {
    await open();
    assert.equal(await slash('/nonsense'), 'There is no command /nonsense');
    assert.equal(await slash('/mode plan'), undefined);
    assert.equal(window.session.approvalMode, 'plan');
    assert.equal(await slash('/mode everything'), 'There is no mode "everything"');
    assert.equal(await slash('/copy'), 'There is nothing to copy');
    assert.equal(await slash('/help'), undefined);
    const { notice } = await window.end.waitFor('notice');
    assert.ok(notice.rows.some(({ name }) => name === '/rewind'));
    assert.ok((await suggested('command', '/mode ', 'autoEdit')).insert === '/mode autoEdit');
  });

  it('sends a picture that was pasted, also after a reload', async () => {
    gemini = await startGeminiEndpoint();
    await open({ baseUrl: gemini.url });
    const data = pngAddress(4, 4).replace(/^.*,/, '');
    window.end.say({ type: 'attachData', name: 'shot.png', data });
    await window.end.waitUntil(() => attached().length === 1);
    assert.deepEqual(attached(), ['image shot.png']);
    await window.close();
    await open({ baseUrl: gemini.url });
    assert.deepEqual(attached(), ['image shot.png']);
    gemini.reply('A picture.');
    await window.ask('What is it?');
    const parts = gemini.requests[0]?.contents[0]?.parts ?? [];
    assert.ok(parts.some(({ inlineData }) => inlineData?.data === data));
  });

  it('refuses what is neither text nor a picture', async () => {
    await open();
    window.end.say({ type: 'attachData', name: 'a.bin', data: Buffer.from([0, 1, 2, 255]).toString('base64') });
    window.end.say({ type: 'attachData', name: 'notes.txt', data: Buffer.from('words').toString('base64') });
    await window.end.waitUntil(() => attached().length === 1);
    assert.deepEqual(attached(), ['file notes.txt']);
  });

  it('has what was sent in the next window', async () => {
    await open();
    await window.ask('Hello there');
    await slash('/help');
    await window.close();
    await open();
    assert.deepEqual((await window.end.waitFor('input')).history, ['Hello there', '/help']);
  });

  it('says whose draft it is: of a session that gets its name, and of one that takes its place', async () => {
    await open();
    assert.deepEqual(await window.end.waitFor('inputOf'), { type: 'inputOf', replaced: true });
    await window.ask('Hello');
    const { id } = window.session;
    const told = (): unknown => window.end.posted.findLast((message) => message.type === 'inputOf');
    assert.deepEqual(told(), { type: 'inputOf', session: id, replaced: false });
    await window.session.startNew();
    assert.deepEqual(told(), { type: 'inputOf', replaced: true });
  });
});

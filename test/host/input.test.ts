import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Suggestion } from '../../extension/protocol/panel/input-to-panel.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { pngAddress } from '../support/panel/picture.ts';
import { eventually } from '../support/poll.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';
import { type TestHostOptions, testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

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

  it('sends a file that was taken right before the message', async () => {
    gemini = await startGeminiEndpoint();
    await open({ baseUrl: gemini.url });
    gemini.reply('Read.');
    const { id } = await suggested('mention', 'readme', 'README.md');
    window.end.say({ type: 'mention', id });
    await window.ask('Read it');
    assert.match(JSON.stringify(gemini.requests[0]?.contents.at(-1)), /README\.md/);
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
      await eventually('the new file', isThere);
      await vscode.workspace.fs.delete(uri);
      await eventually('the file to be gone', async () => !(await isThere()));
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

  const noticeTitled = async (title: string): Promise<void> => {
    await window.end.waitUntilFound(
      (message) => message.type === 'notice' && message.notice.title === title && message,
    );
  };

  it('keeps the session under a name, and goes back to it by that', async () => {
    await open();
    assert.equal(await slash('/chat save before'), 'The session was not saved');
    await window.ask('One');
    const { id } = window.session;
    assert.equal(await slash('/chat save'), 'A name is missing');
    assert.equal(await slash('/chat save Before it all'), undefined);
    await noticeTitled('Saved as "Before it all"');
    assert.equal(window.session.id, id, 'the session goes on');
    await window.ask('Two');
    assert.equal(await slash('/resume load before it al'), 'There is no session named "before it al"');
    assert.equal(await slash('/resume load before it all'), undefined);
    assert.deepEqual([window.session.title, window.userMessages], ['Before it all', 1]);
    const [saved] = (await window.sessions.items()).filter(({ pinned }) => pinned);
    assert.equal(saved?.forkOf, 'One');
    assert.equal(await slash('/chat save One'), 'The session was not saved', 'that one is no saved one');
    assert.equal(await slash('/chat share it'), undefined);
    assert.equal(await slash('/chat frobnicate'), '/resume has no subcommand "frobnicate"');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  });

  it('asks before another copy takes the place of one with its name', async () => {
    await open();
    const answers = new WindowAnswers();
    await window.ask('One');
    await slash('/chat save Safe');
    await window.ask('Two');
    answers.pressing(undefined);
    assert.equal(await slash('/chat save safe'), undefined);
    const saved = async (): Promise<unknown> =>
      (await window.sessions.items()).flatMap(({ title, pinned, messages }) => (pinned ? [[title, messages]] : []));
    assert.deepEqual(
      [answers.said.map((text) => text.split('\n')[0]), await saved()],
      [['Replace the session saved as "safe"?'], [['Safe', 1]]],
    );
    answers.restore();
    const again = new WindowAnswers();
    again.pressing('Replace');
    assert.equal(await slash('/chat save safe'), undefined);
    assert.deepEqual(await saved(), [['safe', 2]]);
    again.restore();
    assert.equal(await slash('/chat delete Safe'), undefined);
    assert.deepEqual(await saved(), []);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('lists the folders, and has a plan to copy only when one was approved', async () => {
    await open();
    assert.equal(await slash('/directory show'), undefined);
    const { notice } = await window.end.waitFor('notice');
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.deepEqual(notice, { title: 'Folders', rows: [{ name: root?.name, value: root?.uri.fsPath }] });
    assert.equal(await slash('/directory remove'), '/directory has no subcommand "remove"');
    assert.equal(await slash('/plan copy'), 'There is nothing to copy');
    assert.equal(window.session.approvalMode, 'default', 'it does not turn plan mode on');
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

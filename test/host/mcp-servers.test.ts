import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Notice, Suggestion } from '../../extension/protocol/input-to-panel.ts';
import { Commands } from '../../extension/vscode/names.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { stdio } from '../support/mcp/stdio.ts';
import { eventually } from '../support/poll.ts';
import { isRunning } from '../support/running.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('The MCP servers of a folder, in VS Code', function () {
  this.timeout(60_000);
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let gemini: GeminiEndpoint;
  let window: PanelWindow;
  let answers: WindowAnswers;
  let asked = 0;
  const kept = new Map<string, unknown>();

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    gemini = await startGeminiEndpoint();
    kept.clear();
    // What runs here is VS Code, which is no plain Node.
    const docs = stdio('good', { command: 'node' }, join(folder.path, 'starts'));
    await folder.write({ '.vscode/mcp.json': `{\n  "servers": {\n    "docs": ${JSON.stringify(docs)}\n  }\n}\n` });
    await open();
  });
  afterEach(async () => {
    answers.restore();
    await window.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await gemini.dispose();
    await folder.dispose();
    await home.dispose();
  });

  async function open(): Promise<void> {
    const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
    const options = { roots: [folder.path], sessions: join(home.path, 'sessions'), environment, baseUrl: gemini.url };
    window = new PanelWindow(testHost(options), kept);
    answers = new WindowAnswers();
    answers.pressing(undefined);
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
  }

  async function slash(text: string): Promise<string | undefined> {
    const ref = ++asked;
    window.end.say({ type: 'slash', ref, text });
    const answer = await window.end.waitUntilFound(
      (message) => message.type === 'sent' && message.ref === ref && message,
    );
    await window.end.waitUntil(() => window.end.state?.running !== true);
    return answer.refused?.title;
  }

  async function noticeOf(text: string): Promise<Notice> {
    const before = window.end.posted.length;
    assert.equal(await slash(text), undefined);
    const posted = window.end.posted.slice(before).find((message) => message.type === 'notice');
    assert.ok(posted, `${text} says nothing`);
    return posted.notice;
  }

  async function suggested(about: 'mention' | 'command', query: string): Promise<readonly Suggestion[]> {
    const id = ++asked;
    window.end.say({ type: 'suggest', id, about, query });
    const { groups } = await window.end.waitUntilFound(
      (message) => message.type === 'suggestions' && message.id === id && !message.pending && message,
    );
    return groups.flatMap(({ items }) => items);
  }

  const processes = async (): Promise<number[]> => {
    const text = await readFile(join(folder.path, 'starts'), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean).map(Number).filter(isRunning);
  };

  /** The server has its yes and runs. */
  async function ready(): Promise<void> {
    answers.picking((items) => items);
    await window.mcp.review();
    await window.end.waitUntil(() => window.mcp.statuses[0]?.state.kind === 'ready');
  }

  /** Opens the list of servers, takes the first with the keyboard, and then what is called so. */
  async function inList(act: RegExp): Promise<readonly vscode.QuickPickItem[]> {
    let shown: readonly vscode.QuickPickItem[] = [];
    let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;
    answers.following((made) => {
      pick = made;
    });
    answers.picking((items) => items.find(({ label }) => act.test(label)));
    const closed = window.mcp.open();
    await eventually('an item to take', () => (pick?.activeItems.length ?? 0) > 0);
    shown = pick?.items ?? [];
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await closed;
    return shown;
  }

  it('wait for a yes to their whole text, and nothing starts before', async () => {
    assert.match((await noticeOf('/mcp list')).rows[0]?.value ?? '', /^waits for your yes · .*mcp\.json:3$/);
    answers.picking(() => undefined);
    await window.mcp.review();
    const page = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'gantry-mcp');
    assert.match(page?.getText() ?? '', /1\. docs\n.*\n {6}node\n.*stdio-server\.mjs/s);
    assert.deepEqual(
      answers.asked.map(({ items, options }) => [items.map(({ label }) => label), options?.canPickMany]),
      [[['1. docs'], true]],
    );
    assert.match((await noticeOf('/mcp')).rows[0]?.value ?? '', /waits for your yes/);
    assert.deepEqual(await processes(), []);

    await ready();
    assert.match(answers.said.join(), /One MCP server of this folder is in use/);
    assert.match((await noticeOf('/mcp')).rows[0]?.value ?? '', /^\d+ tools, 2 prompts, 1 resource · /);
    assert.equal((await processes()).length, 1);
    await window.mcp.review();
    assert.match(answers.said.at(-1) ?? '', /No MCP server waits/);
  });

  it('have their definition a click away', async () => {
    const { rows } = await noticeOf('/mcp');
    window.end.say({ type: 'openNotice', link: rows[0]?.link });
    const file = join(folder.path, '.vscode', 'mcp.json');
    const editor = (): vscode.TextEditor | undefined => vscode.window.activeTextEditor;
    await window.end.waitUntil(() => editor()?.document.uri.fsPath === file);
    await window.end.waitUntil(() => editor()?.selection.active.line === 2);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await slash('/mcp open docs');
    await window.end.waitUntil(() => editor()?.document.uri.fsPath === file);
  });

  it('are off in this workspace, also in its next window, until they are turned on', async () => {
    await ready();
    const [before = 0] = await processes();
    assert.match((await noticeOf('/mcp disable docs')).rows[0]?.value ?? '', /^off in this workspace/);
    assert.deepEqual(await processes(), []);
    assert.equal(await slash('/mcp restart docs'), 'Nothing was done about "docs"');
    answers.restore();
    await window.close();
    await open();
    assert.match((await noticeOf('/mcp')).rows[0]?.value ?? '', /^off in this workspace/);
    assert.match((await noticeOf('/mcp enable docs')).rows[0]?.value ?? '', /^\d+ tools/);
    const [after = 0] = await processes();
    assert.ok(after !== 0 && after !== before);
    assert.equal(await slash('/mcp restart dcs'), 'There is no MCP server "dcs"');
  });

  it('are listed with how they are, and what can be done about each', async () => {
    await ready();
    const [first] = await processes();
    const [row] = await inList(/Restart/);
    assert.equal(row?.label, 'docs');
    assert.match(row?.description ?? '', /^\d+ tools, 2 prompts, 1 resource$/);
    assert.match(row?.detail ?? '', /^node .*stdio-server\.mjs good .* · .*mcp\.json:3$/);
    assert.deepEqual(
      row?.buttons?.map(({ tooltip }) => tooltip),
      ['Show Tools', 'Restart', 'Turn Off in This Workspace', 'Open Definition', 'Show Log'],
    );
    const [second] = await processes();
    assert.ok(second !== undefined && second !== first, 'it is another process');

    await inList(/Show Tools/);
    const tools = answers.asked.at(-1)?.items.map(({ label, detail }) => `${label}: ${detail}`) ?? [];
    assert.ok(tools.includes('echo: Says it again.'));
    assert.ok((await noticeOf('/mcp tools docs')).rows.some(({ name, value }) => `${name}: ${value}` === tools[0]));

    await inList(/Turn Off/);
    assert.deepEqual([...kept.values()].flat().includes('docs'), true);
    const [off] = await inList(/Turn On/);
    assert.equal(off?.description, 'off in this workspace');
    await window.end.waitUntil(() => window.mcp.statuses[0]?.state.kind === 'ready');
  });

  it('offer their prompts as commands with a slash', async () => {
    await ready();
    const found = (await suggested('command', '/gre')).find(({ label }) => label === '/greet');
    assert.deepEqual([found?.hint, found?.detail], ['<who>', 'Greets. (docs)']);
    assert.equal(await slash('/greet'), '/greet was not sent');
    gemini.reply('Hello, Ann.');
    assert.equal(await slash('/greet Ann'), undefined);
    const { parts = [] } = gemini.requests[0]?.contents.at(-1) ?? {};
    assert.match(parts.map(({ text = '' }) => text).join(''), /Say hello to Ann\./);
    assert.equal(window.userMessages, 1);
  });

  it('offer their resources behind @, and what is in them goes with the message', async () => {
    await ready();
    const found = (await suggested('mention', 'readme')).find(({ detail }) => detail === 'docs: note://readme');
    assert.equal(found?.insert, '@docs:note://readme ');
    window.end.say({ type: 'mention', id: found?.id });
    const attached = (): string[] => window.context.attachments.items.map(({ kind, label }) => `${kind} ${label}`);
    await window.end.waitUntil(() => attached().length === 1);
    assert.deepEqual(attached(), ['resource docs:note://readme']);
    gemini.reply('Read.');
    await window.ask('What does it say?');
    assert.match(JSON.stringify(gemini.requests[0]?.contents), /Read me\./);
  });

  it('have commands of the window', async () => {
    const known = await vscode.commands.getCommands(true);
    assert.ok(known.includes(Commands.mcpServers) && known.includes(Commands.reviewMcpServers));
    // Of the window that the tests run in, in which none waits.
    await vscode.commands.executeCommand(Commands.reviewMcpServers);
  });
});

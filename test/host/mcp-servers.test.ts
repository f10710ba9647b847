import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Suggestion } from '../../extension/protocol/panel/input-to-panel.ts';
import { Commands } from '../../extension/vscode/names.ts';
import { stdio } from '../support/mcp/stdio.ts';
import { eventually } from '../support/poll.ts';
import { isRunning } from '../support/running.ts';
import { usePanelWindow } from './use-panel-window.ts';

describe('The MCP servers of a folder, in VS Code', function () {
  this.timeout(60_000);
  const panel = usePanelWindow();
  beforeEach(async () => {
    // What runs here is VS Code, which is no plain Node.
    const docs = stdio('good', { command: 'node' }, join(panel.folder.path, 'starts'));
    await panel.folder.write({
      '.vscode/mcp.json': `{\n  "servers": {\n    "docs": ${JSON.stringify(docs)}\n  }\n}\n`,
    });
    await panel.open();
  });

  async function offered(about: 'mention' | 'command', query: string): Promise<readonly Suggestion[]> {
    return (await panel.suggested(about, query)).flatMap(({ items }) => items);
  }

  const processes = async (): Promise<number[]> => {
    const text = await readFile(join(panel.folder.path, 'starts'), 'utf8').catch(() => '');
    return text.split('\n').filter(Boolean).map(Number).filter(isRunning);
  };

  /** The server has its yes and runs. */
  async function ready(): Promise<void> {
    panel.answers.picking((items) => items);
    await panel.window.mcp.review();
    await panel.window.end.waitUntil(() => panel.window.mcp.statuses[0]?.state.kind === 'ready');
  }

  /** Opens the list of servers, takes the first with the keyboard, and then what is called so. */
  async function inList(act: RegExp): Promise<readonly vscode.QuickPickItem[]> {
    let shown: readonly vscode.QuickPickItem[] = [];
    let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;
    panel.answers.following((made) => {
      pick = made;
    });
    panel.answers.picking((items) => items.find(({ label }) => act.test(label)));
    const closed = panel.window.mcp.open();
    await eventually('an item to take', () => (pick?.activeItems.length ?? 0) > 0);
    shown = pick?.items ?? [];
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await closed;
    return shown;
  }

  it('require approval of their whole text, and nothing starts before', async () => {
    assert.match((await panel.noticeOf('/mcp list')).rows[0]?.value ?? '', /^requires approval · .*mcp\.json:3$/);
    panel.answers.picking(() => undefined);
    await panel.window.mcp.review();
    const page = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'gantry-mcp');
    assert.match(page?.getText() ?? '', /1\. docs\n.*\n {6}node\n.*stdio-server\.mjs/s);
    assert.deepEqual(
      panel.answers.asked.map(({ items, options }) => [items.map(({ label }) => label), options?.canPickMany]),
      [[['1. docs'], true]],
    );
    assert.match((await panel.noticeOf('/mcp')).rows[0]?.value ?? '', /requires approval/);
    assert.deepEqual(await processes(), []);

    await ready();
    assert.match(panel.answers.said.join(), /One MCP server of this folder is in use/);
    assert.match((await panel.noticeOf('/mcp')).rows[0]?.value ?? '', /^\d+ tools, 2 prompts, 1 resource · /);
    assert.equal((await processes()).length, 1);
    await panel.window.mcp.review();
    assert.match(panel.answers.said.at(-1) ?? '', /No MCP server requires approval/);
  });

  it('have their definition a click away', async () => {
    const { rows } = await panel.noticeOf('/mcp');
    panel.window.end.say({ type: 'openNotice', link: rows[0]?.link });
    const file = join(panel.folder.path, '.vscode', 'mcp.json');
    const editor = (): vscode.TextEditor | undefined => vscode.window.activeTextEditor;
    await panel.window.end.waitUntil(() => editor()?.document.uri.fsPath === file);
    await panel.window.end.waitUntil(() => editor()?.selection.active.line === 2);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await panel.slash('/mcp open docs');
    await panel.window.end.waitUntil(() => editor()?.document.uri.fsPath === file);
  });

  it('are off in this workspace, also in its next window, until they are turned on', async () => {
    await ready();
    const [before = 0] = await processes();
    assert.match((await panel.noticeOf('/mcp disable docs')).rows[0]?.value ?? '', /^off in this workspace/);
    assert.deepEqual(await processes(), []);
    assert.equal(await panel.slash('/mcp restart docs'), '"docs" was not changed');
    await panel.open();
    assert.match((await panel.noticeOf('/mcp')).rows[0]?.value ?? '', /^off in this workspace/);
    assert.match((await panel.noticeOf('/mcp enable docs')).rows[0]?.value ?? '', /^\d+ tools/);
    const [after = 0] = await processes();
    assert.ok(after !== 0 && after !== before);
    assert.equal(await panel.slash('/mcp restart dcs'), 'There is no MCP server "dcs"');
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
    const tools = panel.answers.asked.at(-1)?.items.map(({ label, detail }) => `${label}: ${detail}`) ?? [];
    assert.ok(tools.includes('echo: Says it again.'));
    assert.ok(
      (await panel.noticeOf('/mcp tools docs')).rows.some(({ name, value }) => `${name}: ${value}` === tools[0]),
    );

    await inList(/Turn Off/);
    assert.deepEqual([...panel.kept.values()].flat().includes('docs'), true);
    const [off] = await inList(/Turn On/);
    assert.equal(off?.description, 'off in this workspace');
    await panel.window.end.waitUntil(() => panel.window.mcp.statuses[0]?.state.kind === 'ready');
  });

  it('offer their prompts as commands with a slash', async () => {
    await ready();
    const found = (await offered('command', '/gre')).find(({ label }) => label === '/greet');
    assert.deepEqual([found?.hint, found?.detail], ['<who>', 'Greets. (docs)']);
    assert.equal(await panel.slash('/greet'), '/greet was not sent');
    panel.gemini.reply('Hello, Ann.');
    assert.equal(await panel.slash('/greet Ann'), undefined);
    const { parts = [] } = panel.gemini.requests[0]?.contents.at(-1) ?? {};
    assert.match(parts.map(({ text = '' }) => text).join(''), /Say hello to Ann\./);
    assert.equal(panel.window.userMessages, 1);
  });

  it('offer their resources behind @, and what is in them goes with the message', async () => {
    await ready();
    const found = (await offered('mention', 'readme')).find(({ detail }) => detail === 'docs: note://readme');
    assert.equal(found?.insert, '@docs:note://readme ');
    panel.window.end.say({ type: 'mention', id: found?.id });
    const attached = (): string[] =>
      panel.window.context.attachments.items.map(({ kind, label }) => `${kind} ${label}`);
    await panel.window.end.waitUntil(() => attached().length === 1);
    assert.deepEqual(attached(), ['resource docs:note://readme']);
    panel.gemini.reply('Read.');
    await panel.window.ask('What does it say?');
    assert.match(JSON.stringify(panel.gemini.requests[0]?.contents), /Read me\./);
  });

  it('have commands of the window', async () => {
    const known = await vscode.commands.getCommands(true);
    assert.ok(known.includes(Commands.mcpServers) && known.includes(Commands.reviewMcpServers));
    // Of the window that the tests run in, in which none waits.
    await vscode.commands.executeCommand(Commands.reviewMcpServers);
  });
});

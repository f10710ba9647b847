import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Notice } from '../../extension/protocol/input-to-panel.ts';
import { AgentReview } from '../../extension/vscode/agent-review.ts';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

const AGENT = '---\nname: reviewer\ndescription: Reviews changes\n---\nReview them.\n';

describe('What the agent knows, in VS Code', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let gemini: GeminiEndpoint;
  let window: PanelWindow;
  let review: AgentReview;
  let answers: WindowAnswers;
  let asked = 0;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    gemini = await startGeminiEndpoint();
    const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
    const options = { roots: [folder.path], sessions: join(home.path, 'sessions'), environment, baseUrl: gemini.url };
    window = new PanelWindow(testHost(options), new Map());
    review = new AgentReview(window.runtime);
    answers = new WindowAnswers();
    answers.pressing(undefined);
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
  });
  afterEach(async () => {
    answers.restore();
    review.dispose();
    await window.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await gemini.dispose();
    await folder.dispose();
    await home.dispose();
  });

  async function slash(text: string): Promise<void> {
    const ref = ++asked;
    window.end.say({ type: 'slash', ref, text });
    await window.end.waitUntilFound((message) => message.type === 'sent' && message.ref === ref && message);
    await window.end.waitUntil(() => window.end.state?.running === false);
  }

  async function noticeOf(text: string): Promise<Notice> {
    const before = window.end.posted.length;
    await slash(text);
    const posted = window.end.posted.slice(before).find((message) => message.type === 'notice');
    assert.ok(posted, `${text} says nothing`);
    return posted.notice;
  }

  const openedFile = (): string | undefined => vscode.window.activeTextEditor?.document.uri.fsPath;

  it('is listed with its cost, and each file opens from there', async () => {
    await folder.write({ 'GEMINI.md': 'Use tabs.\n' });
    const { rows } = await noticeOf('/memory');
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['GEMINI.md'],
    );
    assert.match(rows[0]?.value ?? '', /^Of this folder\. About \d+ tokens$/);
    window.end.say({ type: 'openNotice', link: 'notice-999' });
    window.end.say({ type: 'openNotice', link: rows[0]?.link });
    await window.end.waitUntil(() => openedFile()?.endsWith('GEMINI.md') === true);
  });

  it('is what a session used with /stats, whose log opens from there', async () => {
    gemini.reply('Hello.');
    await window.ask('Hi');
    const { rows } = await noticeOf('/stats');
    const log = rows.at(-1);
    assert.match(log?.value ?? '', /log\.jsonl$/);
    window.end.say({ type: 'openNotice', link: log?.link });
    await window.end.waitUntil(() => openedFile() === log?.value);
  });

  it('is what it can do with /tools, and the rules for that open from there', async () => {
    const { rows, actions } = await noticeOf('/tools');
    assert.ok(rows.some(({ name }) => name === 'invoke_agent'));
    assert.deepEqual(
      actions?.map(({ label }) => label),
      ['Open policies'],
    );
  });

  it('is asked for with /init and /memory add, in words for the model', async () => {
    gemini.reply('Written.');
    await slash('/init');
    gemini.reply('Noted.');
    await slash('/memory add We use tabs');
    const said = window.session.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
    assert.match(said[0] ?? '', /write GEMINI\.md in the workspace folder/);
    assert.match(said[1] ?? '', /save_memory.*We use tabs/);
  });

  it('is shown for skills, hooks and policies, too', async () => {
    await folder.write({ '.gemini/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\nRead.\n' });
    assert.deepEqual(
      (await noticeOf('/skills')).rows.map(({ name, value }) => `${name}: ${value}`),
      ['pdf: Of this folder, asks when it is used. Reads PDFs'],
    );
    assert.equal((await noticeOf('/hooks')).title, 'There are no hooks here');
    assert.ok((await noticeOf('/policies')).rows.some(({ value }) => value === 'Shipped with Gantry: in force'));
  });

  it('are agents of a folder only after a yes to their whole text, and then @ offers them', async () => {
    await folder.write({ '.gemini/agents/reviewer.md': AGENT });
    const offered = async (): Promise<string[]> => {
      const id = ++asked;
      window.end.say({ type: 'suggest', id, about: 'mention', query: '' });
      const { groups } = await window.end.waitUntilFound(
        (message) => message.type === 'suggestions' && message.id === id && message,
      );
      return groups.flatMap(({ title, items }) => (title === 'Agents' ? items.map(({ insert }) => insert) : []));
    };
    assert.deepEqual(await offered(), ['@codebase_investigator ', '@generalist ']);
    const { rows, actions } = await noticeOf('/agents');
    assert.ok(rows.some(({ name, value }) => name === 'reviewer' && value.startsWith('Off: ')));
    assert.deepEqual(
      actions?.map(({ label }) => label),
      ['Review agents'],
    );
    answers.picking(() => []);
    await review.open();
    assert.equal((await offered()).length, 2, 'nothing was ticked');
    answers.picking((items) => items);
    await review.open();
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /\n {6}name: reviewer\n/);
    assert.deepEqual(await offered(), ['@codebase_investigator ', '@generalist ', '@reviewer ']);
    await folder.write({ '.gemini/agents/reviewer.md': `${AGENT}More.\n` });
    assert.equal((await offered()).length, 2, 'another text is another question');
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentReview } from '../../extension/vscode/consent/agent-review.ts';
import { usePanelWindow } from './use-panel-window.ts';

const AGENT = '---\nname: reviewer\ndescription: Reviews changes\n---\nReview them.\n';

describe('What the agent knows, in VS Code', () => {
  const panel = usePanelWindow();
  let review: AgentReview;
  beforeEach(async () => {
    await panel.open();
    review = new AgentReview(panel.window.runtime);
  });
  afterEach(() => review.dispose());

  const openedFile = (): string | undefined => vscode.window.activeTextEditor?.document.uri.fsPath;

  it('is listed with its cost, and each file opens from there', async () => {
    await panel.folder.write({ 'GEMINI.md': 'Use tabs.\n' });
    const { rows } = await panel.noticeOf('/memory');
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['GEMINI.md'],
    );
    assert.match(rows[0]?.value ?? '', /^In this folder\. About \d+ tokens$/);
    panel.window.end.say({ type: 'openNotice', link: 'notice-999' });
    panel.window.end.say({ type: 'openNotice', link: rows[0]?.link });
    await panel.window.end.waitUntil(() => openedFile()?.endsWith('GEMINI.md') === true);
  });

  it('is what a session used with /stats, whose log opens from there', async () => {
    panel.gemini.reply('Hello.');
    await panel.window.ask('Hi');
    const { rows } = await panel.noticeOf('/stats');
    const log = rows.at(-1);
    assert.match(log?.value ?? '', /log\.jsonl$/);
    panel.window.end.say({ type: 'openNotice', link: log?.link });
    await panel.window.end.waitUntil(() => openedFile() === log?.value);
  });

  it('is what it can do with /tools, and the rules for that open from there', async () => {
    const { rows, actions } = await panel.noticeOf('/tools');
    assert.ok(rows.some(({ name }) => name === 'invoke_agent'));
    assert.deepEqual(
      actions?.map(({ label }) => label),
      ['Open policies'],
    );
  });

  it('is asked for with /init and /memory add, in words for the model', async () => {
    panel.gemini.reply('Written.');
    await panel.slash('/init');
    panel.gemini.reply('Noted.');
    await panel.slash('/memory add We use tabs');
    const said = panel.window.session.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
    assert.match(said[0] ?? '', /write GEMINI\.md in the workspace folder/);
    assert.match(said[1] ?? '', /save_memory.*We use tabs/);
  });

  it('is shown for skills, hooks and policies, too', async () => {
    await panel.folder.write({
      '.gemini/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\nRead.\n',
    });
    assert.deepEqual(
      (await panel.noticeOf('/skills')).rows.map(({ name, value }) => `${name}: ${value}`),
      ['pdf: From this folder, requires approval when it is used. Reads PDFs'],
    );
    assert.equal((await panel.noticeOf('/hooks')).title, 'There are no hooks here');
    assert.ok((await panel.noticeOf('/policies')).rows.some(({ value }) => value === 'Shipped with Gantry: active'));
  });

  it('are agents of a folder only after approval of their whole text, and then @ offers them', async () => {
    await panel.folder.write({ '.gemini/agents/reviewer.md': AGENT });
    const offered = async (): Promise<string[]> => {
      const groups = await panel.suggested('mention', '');
      return groups.flatMap(({ title, items }) => (title === 'Agents' ? items.map(({ insert }) => insert) : []));
    };
    assert.deepEqual(await offered(), ['@codebase_investigator ', '@generalist ']);
    const { rows, actions } = await panel.noticeOf('/agents');
    assert.ok(rows.some(({ name, value }) => name === 'reviewer' && value.startsWith('Off: ')));
    assert.deepEqual(
      actions?.map(({ label }) => label),
      ['Review agents'],
    );
    panel.answers.picking(() => []);
    await review.open();
    assert.equal((await offered()).length, 2, 'nothing was ticked');
    panel.answers.picking((items) => items);
    await review.open();
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /\n {6}name: reviewer\n/);
    assert.deepEqual(await offered(), ['@codebase_investigator ', '@generalist ', '@reviewer ']);
    await panel.folder.write({ '.gemini/agents/reviewer.md': `${AGENT}More.\n` });
    assert.equal((await offered()).length, 2, 'another text is another question');
  });
});

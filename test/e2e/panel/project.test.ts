import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { before, describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, hold } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { STDIO_SERVER } from '../../support/mcp/stdio.ts';
import { repoRoot } from '../../support/repo.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

describe('A project with everything in it', () => {
  const { gemini, bench } = useSharedWorkbench();

  const files: Record<string, string> = {};
  before(async () => {
    const project = join(repoRoot, 'test/fixtures/project-with-everything');
    const entries = await readdir(project, { recursive: true, withFileTypes: true });
    for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
      const path = join(parentPath, name);
      files[relative(project, path).replaceAll('\\', '/')] = await readFile(path, 'utf8');
    }
    // The server of the fixture only tells that it was started. This one answers, and the project brings it along, because
    // the sandbox hides other files where this repository is in a temporary folder.
    files['tools/notes.mjs'] = await readFile(STDIO_SERVER, 'utf8');
    const notes = { command: 'node', args: ['tools/notes.mjs', 'good', 'server-ran'] };
    files['.gemini/settings.json'] = JSON.stringify({ mcpServers: { notes } });
  });

  const hasRun = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('-ran'));
  const allow = (card: Locator) => card.getByRole('button', { name: 'Allow once', exact: true }).click();

  const notice = (chat: Chat) => chat.locator('.notice dl');

  /** Ticks everything in the list that the command opens. */
  async function sayYes(workbench: Workbench, command: string): Promise<void> {
    await workbench.runCommand(command);
    const list = workbench.page.locator('.quick-input-widget');
    await list.locator('.monaco-list-row').first().waitFor();
    for (const row of await list.locator('.monaco-list-row').all()) await row.click();
    await workbench.screenshot(command.replaceAll(/\W+/g, '-').toLowerCase());
    await workbench.quickInput.press('Enter');
    await list.waitFor({ state: 'hidden' });
  }

  journey('is reported when first opened, and starts its programs only after approval', async function () {
    this.timeout(120_000);
    const { workbench, chat, folder } = await bench.goOnElsewhere(files);
    await chat.send('/mcp');
    await notice(chat).getByText('requires approval').waitFor();
    await workbench.screenshot('project-mcp-waits');
    assert.deepEqual(await hasRun(folder), []);
    await sayYes(workbench, 'Gantry: Review MCP Servers…');

    gemini().reply(call('mcp_notes_echo', { text: 'ahoy' }));
    gemini().reply('It said ahoy.');
    await chat.input.pressSequentially('/git:');
    await chat
      .locator('[role=listbox]')
      .getByRole('option', { name: /git:commit/ })
      .waitFor();
    await workbench.screenshot('project-command');
    await chat.send('/git:commit about the tides');
    const echo = chat.tool('mcp_notes_echo');
    await echo.getByText('notes').first().waitFor();
    await workbench.screenshot('project-mcp-asks');
    await allow(echo);
    await chat.answers.getByText('It said ahoy.').waitFor();
    await chat.finished();
    const [first, second] = gemini().requests.filter(({ asksForTitle }) => !asksForTitle);
    assert.match(JSON.stringify(first?.contents), /Words of the command: about the tides/);
    assert.match(JSON.stringify(first?.body.systemInstruction), /Words of GEMINI\.md[\s\S]*Words of AGENTS\.md/);
    assert.match(JSON.stringify(second?.toolResults), /ahoy/);
    assert.deepEqual(await hasRun(folder), ['server-ran']);
    await chat.send('/mcp');
    await notice(chat)
      .getByText(/\d+ tools, 2 prompts, 1 resource/)
      .waitFor();
    await workbench.screenshot('project-mcp-ready');
  });

  journey('has an agent whose work is seen live, and opened as a session', async () => {
    const { workbench, chat } = await bench.goOn(files);
    await sayYes(workbench, 'Gantry: Review Agents…');
    const door = gate();
    gemini().reply(call('invoke_agent', { agent_name: 'reviewer', prompt: 'Review the answer' }));
    gemini().reply(call('read_file', { file_path: 'src/answer.ts' }));
    gemini().reply(hold(door), call('complete_task', { result: 'The answer is 42.' }));
    gemini().reply('The reviewer agrees.');
    await chat.input.pressSequentially('@rev');
    const agent = chat.locator('[role=listbox]').getByRole('option', { name: /^reviewer Reviews changes/ });
    await agent.waitFor();
    await workbench.screenshot('project-agent-mention');
    // Not with Enter: an agent that was approved a moment ago may come after the files, one of which is selected then.
    await agent.click();
    await chat.input.pressSequentially('please');
    await chat.input.press('Enter');
    const card = chat.tool('invoke_agent');
    await card.getByText('answer.ts').first().waitFor();
    await workbench.screenshot('project-agent-works');
    door.open();
    await chat.answers.getByText('The reviewer agrees.').waitFor();
    await chat.finished();
    await card.getByText(/done in 2 turns/).waitFor();
    await card.getByRole('button', { name: 'Show thread' }).click();
    await card.getByRole('button', { name: 'Open thread' }).click();
    await chat.button('Open as session').waitFor();
    await workbench.screenshot('project-agent-thread');
    await chat.button('Open as session').click();
    await chat.userMessages.getByText('Review the answer').waitFor();
    await workbench.screenshot('project-agent-session');
  });

  it('has a skill that is read whole before the yes', async () => {
    const { workbench, chat } = await bench.goOn(files);
    gemini().reply(call('activate_skill', { name: 'release' }));
    gemini().reply('Tagged.');
    await chat.send('Make a release');
    const card = chat.tool('activate_skill');
    await card.getByText('Words of the skill: tag it.').waitFor();
    await workbench.screenshot('project-skill-asks');
    await allow(card);
    await chat.answers.getByText('Tagged.').waitFor();
    assert.match(JSON.stringify(gemini().requests.at(-1)?.toolResults), /Words of the skill: tag it\./);
  });

  describe('and that is not trusted', () => {
    const asking = useWorkbench(() => ({
      trust: 'ask',
      env: { GOOGLE_GEMINI_BASE_URL: gemini().url, GEMINI_API_KEY: 'test-key' },
    }));

    it('does nothing, and says so', async () => {
      const folder = await asking.folder(files);
      const workbench = await asking.open({ folder });
      await workbench.setSideBarWidth(300);
      const chat = await Chat.open(workbench);
      await chat.readOnlyBanner.waitFor();
      gemini().reply(call('mcp_notes_echo', { text: 'ahoy' }), call('activate_skill', { name: 'release' }));
      gemini().reply('I can only read.');
      await chat.ask('What is the answer?');
      await chat.answers.getByText('I can only read.').waitFor();
      const told = JSON.stringify(gemini().requests[0]?.body.systemInstruction);
      assert.match(told, /Because the folder is not trusted/);
      assert.doesNotMatch(JSON.stringify(gemini().requests[1]?.toolResults), /ahoy|Words of the skill/);
      await chat.send('/mcp');
      await chat.alert.getByText('no MCP server runs in it').waitFor();
      await workbench.screenshot('project-restricted');
      await chat.send('/git:commit x');
      await chat.alert
        .getByText(/git:commit/)
        .first()
        .waitFor();
      assert.equal(await chat.userMessages.count(), 1);
      assert.deepEqual(await hasRun(folder), []);
    });
  });
});

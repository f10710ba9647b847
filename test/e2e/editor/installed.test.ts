import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { call } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { it } from '../../support/journey.ts';
import { makePackage } from '../../support/packaging/make-package.ts';
import { thisTarget } from '../../support/packaging/targets.ts';
import { eventually } from '../../support/poll.ts';
import { repoRoot } from '../../support/repo.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('The installed package', function () {
  this.timeout(120_000);
  const gemini = useGemini();
  let packages: TempFolder;
  before(async () => {
    packages = await tempFolder('installed');
  });
  after(() => packages.dispose());
  const bench = useWorkbench(async () => ({
    trust: 'all',
    env: { GOOGLE_GEMINI_BASE_URL: gemini().url },
    // As text in the page.
    settings: { 'terminal.integrated.gpuAcceleration': 'off', 'terminal.integrated.localEchoEnabled': 'off' },
    vsix: await makePackage(thisTarget() ?? assert.fail('there is no package for this machine'), packages.path),
  }));

  it('searches, runs a command and edits, and terminals have its command', async () => {
    const folder = await bench.folder({ 'src/list.txt': 'one\ntwo\nthree\n' });
    for (const path of [folder, bench.server.extensionPath]) assert.equal(path.startsWith(repoRoot), false, path);
    gemini().reply(call('grep_search', { pattern: 'tw.' }));
    gemini().reply(call('run_shell_command', { command: 'test -t 1 && echo on a terminal' }));
    gemini().reply(
      call('replace', { file_path: 'src/list.txt', old_string: 'two', new_string: '2', instruction: 'Digits' }),
    );
    gemini().reply('Done.');
    const workbench = await bench.open({ folder });
    const chat = await Chat.open(workbench);
    await chat.send('Find it, look where you are, and change it');
    const allow = async (tool: string): Promise<void> =>
      chat.tool(tool).getByRole('button', { name: 'Allow once', exact: true }).click();
    await allow('run_shell_command');
    await allow('replace');
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
    const results = JSON.stringify(gemini().requests.map(({ toolResults }) => toolResults));
    assert.match(results, /src\/list\.txt.*L2: two/);
    assert.match(results, /on a terminal/);
    assert.equal(await readFile(join(folder, 'src/list.txt'), 'utf8'), 'one\n2\nthree\n');

    await workbench.runCommand('Terminal: Create New Terminal');
    const screen = workbench.page.locator('.terminal-wrapper.active .xterm-rows');
    await screen.getByText(/[$#>]/).first().waitFor();
    await workbench.page.keyboard.type('which gantry > which.txt; gantry --version | tee version.txt');
    await workbench.page.keyboard.press('Enter');
    const said = (name: string): Promise<string> =>
      eventually(name, async () => (await readFile(join(folder, name), 'utf8').catch(() => '')) || undefined);
    assert.equal(await said('which.txt'), `${join(bench.server.extensionPath, 'dist/assets/bin/gantry')}\n`);
    assert.match(await said('version.txt'), /^\d+\.\d+\.\d+\n$/);
    await workbench.screenshot('installed');
  });
});

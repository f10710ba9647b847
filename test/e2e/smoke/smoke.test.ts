import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { call } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';

/** What `npm test` tries on the oldest VS Code that Gantry supports. */
describe('Gantry at its simplest', () => {
  const gemini = useGemini();
  const bench = useWorkbench(() => ({
    trust: 'ask',
    env: { GOOGLE_GEMINI_BASE_URL: gemini().url, GEMINI_API_KEY: 'test-key' },
  }));

  it('only reads until the folder is trusted; then makes an edit and runs a command that were approved', async () => {
    const folder = await bench.folder({ 'list.txt': 'one\ntwo\n' });
    gemini().reply(call('read_file', { file_path: 'list.txt' }));
    gemini().reply('It says one.');
    const workbench = await bench.open({ folder });
    const chat = await Chat.open(workbench);
    await chat.readOnlyBanner.waitFor();
    await chat.ask('What does it say?');
    await chat.answers.getByText('It says one.').waitFor();
    const offered = gemini().requests[0]?.toolNames ?? [];
    assert.ok(offered.includes('read_file'));
    assert.ok(!offered.includes('write_file') && !offered.includes('run_shell_command'));

    await workbench.grantTrust();
    await chat.readOnlyBanner.waitFor({ state: 'detached' });
    gemini().reply(
      call('replace', { file_path: 'list.txt', old_string: 'two', new_string: '2', instruction: 'Use a digit' }),
    );
    gemini().reply(call('run_shell_command', { command: 'touch made.txt' }));
    gemini().reply('Done.');
    await chat.send('Use a digit, then make a file');
    await chat.tool('replace').getByRole('button', { name: 'Allow once', exact: true }).click();
    await chat.tool('run_shell_command').getByRole('button', { name: 'Allow once', exact: true }).click();
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
    assert.equal(await readFile(join(folder, 'list.txt'), 'utf8'), 'one\n2\n');
    assert.ok(existsSync(join(folder, 'made.txt')));
  });
});

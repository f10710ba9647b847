import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { it, journey } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

describe('Without a key', () => {
  const bench = useWorkbench({ trust: 'all' });

  it('the offline guide answers, reads a real file, and says that it is not an AI', async () => {
    const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
    const chat = await Chat.open(workbench);
    await chat.button('Model: offline guide').waitFor();
    await chat.text('Walk through this folder').click();
    await chat.tool('read_file').first().getByText('README.md').waitFor();
    await chat.finished();
    await chat.answers
      .getByText(/not an AI/)
      .first()
      .waitFor();
    await workbench.screenshot('offline-guide');
  });

  journey('the offline guide proposes a real change, which is made after approval', async () => {
    const folder = await bench.sampleWorkspace();
    const chat = await Chat.open(await bench.open({ folder }));
    await chat.text('Show me an edit').click();
    await chat.tool('write_file').getByRole('group', { name: 'Changes to gantry-tour.md' }).waitFor();
    assert.equal(existsSync(join(folder, 'gantry-tour.md')), false);
    await chat.button('Allow once').click();
    await chat.answers.getByText(/is in your folder now/).waitFor();
    await chat.finished();
    assert.match(await readFile(join(folder, 'gantry-tour.md'), 'utf8'), /after you approved it/);
  });
});

describe('A key', () => {
  const { gemini, bench } = useSharedWorkbench();

  async function setKey(workbench: Workbench, key: string): Promise<void> {
    await workbench.runCommand('Gantry: Set API Key…');
    await workbench.quickInput.fill(key);
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.waitFor({ state: 'hidden' });
  }

  it('set with the command is used until it is removed, and is written neither to the settings nor to the log', async () => {
    gemini().reply('Thank you.');
    gemini().reply('As before.');
    const { workbench, chat } = await bench.goOn();
    await setKey(workbench, 'key-from-the-user');
    await chat.ask('hello');
    await chat.answers.getByText('Thank you.').waitFor();
    await setKey(workbench, '');
    await chat.ask('hello again');
    await chat.answers.getByText('As before.').waitFor();
    assert.deepEqual(
      gemini().requests.map(({ apiKey }) => apiKey),
      ['key-from-the-user', 'test-key'],
    );
    const settings = await readFile(join(workbench.server.dataDir, 'data', 'User', 'settings.json'), 'utf8');
    assert.doesNotMatch(settings, /key-from-the-user/);
    assert.doesNotMatch(await workbench.server.extensionHostLog(), /key-from-the-user/);
  });
});

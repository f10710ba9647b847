import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { call } from '../../support/gemini/script.ts';
import { it } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import { Workbench } from '../../support/workbench.ts';

describe('Gantry works', () => {
  const { gemini, bench } = useSharedWorkbench();

  it('with several folders, and names each file with its folder', async () => {
    const home = await bench.folder({ 'api/main.txt': 'the api', 'web/main.txt': 'the web', 'outside.txt': 'secret' });
    const file = join(home, 'all.code-workspace');
    await writeFile(file, JSON.stringify({ folders: [{ path: 'api' }, { path: 'web' }] }));
    gemini().reply(
      call('read_file', { file_path: 'api/main.txt' }),
      call('read_file', { file_path: 'web/main.txt' }),
      call('read_file', { file_path: join(home, 'outside.txt') }),
    );
    gemini().reply('Two files.');
    const chat = await Chat.open(await bench.open({ workspace: file }));
    await chat.ask('Read both');
    const results = JSON.stringify(gemini().requests[1]?.toolResults);
    assert.match(results, /the api/);
    assert.match(results, /the web/);
    assert.doesNotMatch(results, /secret/);
    await chat.tool('read_file').getByText('web/main.txt').waitFor();
  });

  it('without a folder: it answers, and says that there is nothing to read', async () => {
    gemini().reply(call('read_file', { file_path: '/etc/hostname' }));
    gemini().reply('No folder is open.');
    const chat = await Chat.open(await bench.open());
    await chat.ask('Read something');
    await chat.answers.getByText('No folder is open.').waitFor();
    assert.match(JSON.stringify(gemini().requests[1]?.toolResults), /No folder is open/);
  });

  it('in a folder whose name is hard to write', async () => {
    const folder = join(await bench.folder(), 'näme with spaces & #hash');
    await mkdir(folder);
    await writeFile(join(folder, 'ünï.txt'), 'found');
    gemini().reply(call('read_file', { file_path: 'ünï.txt' }));
    gemini().reply('Done.');
    const chat = await Chat.open(await bench.open({ folder }));
    await chat.ask('Read');
    assert.match(JSON.stringify(gemini().requests[1]?.toolResults), /found/);
  });

  it('in two windows at once, and what is written and attached in one is not in the other', async () => {
    const first = await bench.open({ folder: await bench.folder({ 'a.txt': 'text of a' }) });
    const chat = await Chat.open(first);
    gemini().reply('Only in the first window.');
    await chat.ask('Hello');
    await first.openFile('a.txt');
    await chat.locator('.open-editor').getByText('a.txt').click();
    await chat.locator('.open-editor[aria-pressed="false"]').waitFor();
    await first.runCommand('Gantry: Add File to Chat');
    await chat.button('Remove a.txt').waitFor();
    await chat.input.fill('a draft');
    // The same browser: what VS Code keeps for a workspace is in its storage.
    const second = new Workbench(await first.page.context().newPage(), bench.server);
    await second.open({ folder: await bench.folder({ 'b.txt': 'text of b' }) });
    const other = await Chat.open(second);
    await second.openFile('b.txt');
    await other.locator('.open-editor[aria-pressed="true"]').getByText('b.txt').waitFor();
    assert.equal(await other.input.inputValue(), '');
    assert.equal(await other.button('Remove a.txt').count(), 0);
    assert.equal(await other.userMessages.count(), 0);
    assert.equal(await chat.input.inputValue(), 'a draft');
    assert.equal(await chat.button('Remove a.txt').count(), 1);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../support/chat.ts';
import { useWorkbench } from '../support/fixture.ts';
import { call } from '../support/gemini/script.ts';
import { useGemini } from '../support/gemini/suite.ts';
import { eventually } from '../support/poll.ts';
import type { Workbench } from '../support/workbench.ts';

describe('While the panel is out of sight', () => {
  const gemini = useGemini();
  const bench = useWorkbench(() => ({ trust: 'all', env: { GOOGLE_GEMINI_BASE_URL: gemini().url } }));

  async function open(): Promise<{ workbench: Workbench; chat: Chat; folder: string }> {
    const folder = await bench.folder({ 'list.txt': 'one\n' });
    const workbench = await bench.open({ folder });
    return { workbench, chat: await Chat.open(workbench), folder };
  }

  const touch = (name: string): ReturnType<typeof call> => call('run_shell_command', { command: `touch ${name}` });
  const toast = ({ page }: Workbench, text: string): Locator =>
    page.locator('.notification-toast').filter({ hasText: text });
  const button = (of: Locator, name: string): Locator => of.getByRole('button', { name, exact: true });
  const status = ({ page }: Workbench): Locator => page.locator('[id="gantry.gantry.gantry.status"]');
  const buttonsOf = async (of: Locator): Promise<string[]> =>
    (await of.locator('.monaco-button').allInnerTexts()).map((text) => text.trim());

  it('questions come as notifications, one by one, with the choices of the panel', async () => {
    gemini().reply(touch('a.txt'), touch('b.txt'));
    gemini().reply('Both are there.');
    const { workbench, chat, folder } = await open();
    await chat.send('Make two files');
    await chat.button('Allow once').first().waitFor();
    await workbench.hideChat();
    const first = toast(workbench, '“touch a.txt”');
    await first.waitFor();
    await workbench.screenshot('approval-notification');
    assert.deepEqual(await buttonsOf(first), [
      'Show',
      'Allow once',
      'Allow for this session',
      'Always allow',
      'Reject',
    ]);
    assert.match(await first.innerText(), /\(1 of 2\).*Rule \S+\.toml:\d+/s);
    assert.match(await status(workbench).innerText(), /needs you \(2\)/);
    await button(first, 'Allow once').click();
    const second = toast(workbench, '“touch b.txt”');
    await second.waitFor();
    assert.equal(await first.count(), 0);
    await eventually('the file', () => existsSync(join(folder, 'a.txt')));
    await button(second, 'Reject').click();
    await eventually('the end of the run', async () => !/needs you|working/.test(await status(workbench).innerText()));
    assert.equal(existsSync(join(folder, 'b.txt')), false);
    const again = await Chat.open(workbench);
    await again.answers.getByText('Both are there.').waitFor();
    await again.tool('run_shell_command').nth(1).getByText('Rejected').waitFor();
  });
});

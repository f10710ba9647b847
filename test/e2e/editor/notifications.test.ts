import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, hold } from '../../support/gemini/script.ts';
import { it } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

describe('While the panel is out of sight', () => {
  const { gemini, bench } = useSharedWorkbench();

  const LIST = { 'list.txt': 'one\n' };

  const run = (command: string): ReturnType<typeof call> => call('run_shell_command', { command });
  const button = (of: Locator, name: string): Locator => of.getByRole('button', { name, exact: true });
  const status = async (workbench: Workbench): Promise<string> => workbench.statusItem.innerText();
  const buttonsOf = async (of: Locator): Promise<string[]> =>
    (await of.locator('.monaco-button').allInnerTexts()).map((text) => text.trim());

  it('questions come as notifications, one by one, with the choices of the panel', async () => {
    gemini().reply(run('touch a.txt'), run('touch b.txt'));
    gemini().reply('Both are there.');
    const { workbench, chat, folder } = await bench.goOn(LIST);
    await chat.send('Make two files');
    await chat.button('Allow once').nth(1).waitFor();
    await workbench.hideChat();
    const first = workbench.notification('“touch a.txt”');
    await first.waitFor();
    await workbench.screenshot('approval-notification');
    assert.deepEqual(await buttonsOf(first), ['Reject', 'Allow once', 'Allow for this session', 'Always allow']);
    assert.match(await first.innerText(), /\(1 of 2\).*Rule \S+\.toml:\d+/s);
    assert.match(await status(workbench), /needs you \(2\)/);
    await button(first, 'Allow once').click();
    const second = workbench.notification('“touch b.txt”');
    await second.waitFor();
    await eventually('the file', () => existsSync(join(folder, 'a.txt')));
    await button(second, 'Reject').click();
    await eventually('the end of the run', async () => !/needs you|working/.test(await status(workbench)));
    assert.equal(existsSync(join(folder, 'b.txt')), false);
    const shown = await Chat.open(workbench);
    await shown.answers.getByText('Both are there.').waitFor();
    await shown.tool('run_shell_command').nth(1).getByText('Rejected').waitFor();
  });

  it('what does not fit leads to its card, and what is closed still waits', async () => {
    gemini().reply(run(`cat <<'EOF'\n${'a line of text\n'.repeat(30)}EOF`));
    gemini().reply('Done.');
    const { workbench, chat } = await bench.goOn(LIST);
    await chat.send('Show me a lot');
    await chat.button('Allow once').waitFor();
    await workbench.hideChat();
    const notice = workbench.notification('Run this command?');
    await notice.waitFor();
    assert.deepEqual(await buttonsOf(notice), ['Show', 'Reject']);
    await button(notice, 'Show').click();
    const card = chat.tool('run_shell_command').getByRole('group', { name: 'Run this command?' });
    await eventually('the focus on the card', () => card.evaluate((element) => element.matches(':focus')));
    await workbench.hideChat();
    assert.equal(await notice.count(), 0, 'a question is notified of once');
    assert.match(await status(workbench), /needs you \(1\)/);
    await workbench.statusItem.click();
    await eventually('the focus on the card', () => card.evaluate((element) => element.matches(':focus')));
    await eventually('the card to take keys', () => card.evaluate((element) => !element.hasAttribute('data-settling')));
    await workbench.page.keyboard.press('Control+Backspace');
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
  });

  it('an answer in the panel takes the notification away', async () => {
    gemini().reply(run('touch a.txt'));
    gemini().reply('Done.');
    const { workbench, chat, folder } = await bench.goOn(LIST);
    await chat.send('Make a file');
    await chat.button('Allow once').waitFor();
    await workbench.hideChat();
    const notice = workbench.notification('“touch a.txt”');
    await notice.getByRole('link', { name: 'Show' }).click();
    await chat.button('Allow once').click();
    await chat.answers.getByText('Done.').waitFor();
    await notice.waitFor({ state: 'detached' });
    assert.ok(existsSync(join(folder, 'a.txt')));
    await workbench.runCommand('Notifications: Show Notifications');
    const late = workbench.page.locator('.notifications-center').getByRole('button', { name: 'Reject', exact: true });
    await late.click();
    await workbench.notification('already been answered').waitFor();
  });

  it('a question comes as a notification also when only the window has lost the focus', async () => {
    const door = gate();
    gemini().reply(hold(door), run('touch a.txt'));
    gemini().reply('Done.');
    const folder = await bench.folder(LIST);
    const workbench = await bench.open({ folder });
    const chat = await Chat.open(workbench);
    await chat.send('Make a file');
    // In a browser VS Code does not notice that the window loses the focus from inside a webview.
    await workbench.openFile('list.txt');
    const back = await workbench.leave();
    door.open();
    await chat.button('Allow once').waitFor();
    const notice = workbench.notification('“touch a.txt”');
    await notice.waitFor();
    await workbench.screenshot('approval-unfocused');
    await back();
    await button(notice, 'Allow once').click();
    await chat.answers.getByText('Done.').waitFor();
    assert.ok(existsSync(join(folder, 'a.txt')));
  });
});

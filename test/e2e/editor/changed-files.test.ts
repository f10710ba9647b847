import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import type { Desk } from '../../support/fixture.ts';
import { call } from '../../support/gemini/script.ts';
import { it } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { ColorTheme, Workbench } from '../../support/workbench.ts';

const THEMES: readonly ColorTheme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

const lines = (...of: readonly string[]): string => of.map((line) => `${line}\n`).join('');
const TIDES = lines('one', 'two', 'three', 'four', 'five', 'six', 'seven');
const NOTES = lines('# Notes', 'Nothing yet.');

const DIGITS = TIDES.replace('two', '2').replace('six', '6');

describe('What autoEdit changed', function () {
  // A turn, a reload and some dozen verdicts: 20 s alone on two cores, and those are often shared.
  this.timeout(180_000);
  const { gemini, bench } = useSharedWorkbench();

  const FILES = { 'src/tides.txt': TIDES, 'notes.md': NOTES };
  const NEW = 'src/a-rather-long-name-for-a-new-file.txt';

  async function opened(): Promise<Desk> {
    const folder = await bench.folder(FILES);
    const workbench = await bench.open({ folder }, { 'gantry.approvalMode': 'autoEdit' });
    return { workbench, chat: await Chat.open(workbench), folder };
  }

  async function edited({ workbench, chat, folder }: Desk): Promise<Desk> {
    gemini().reply(
      call('write_file', { file_path: 'src/tides.txt', content: DIGITS }),
      call('write_file', { file_path: 'notes.md', content: NOTES.replace('Nothing yet.', 'Digits now.') }),
      call('write_file', { file_path: NEW, content: 'new\n' }),
    );
    gemini().reply('Done.');
    await chat.ask('Use digits');
    await shelf(chat).getByText('3 files').waitFor();
    return { workbench, chat, folder };
  }

  const shelf = (chat: Chat): Locator => chat.locator('gantry-changed-files');
  const lens = ({ page }: Workbench, name: string): Locator =>
    page.locator('.codelens-decoration a').getByText(name, { exact: true });

  it('waits on the shelf, which fits 300 px in the four themes, and nothing opens by itself', async () => {
    const { workbench, chat } = await edited(await opened());
    assert.equal(await workbench.page.locator('.editor-group-container .tab').count(), 0);
    await chat.button('Show changed files').click();
    await chat.button(`Accept ${NEW}`).waitFor();
    await workbench.setSideBarWidth(300);
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      const frame = await workbench.chatFrame();
      const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide in ${theme}`);
      await workbench.screenshot(`changed-files-${theme}-300`);
    }
  });

  it('is marked in explorer and editor and decided place by place, also after a reload', async () => {
    const { workbench, chat, folder } = await edited(await opened());
    const { page } = workbench;
    const tides = (): Promise<string> => readFile(join(folder, 'src/tides.txt'), 'utf8');
    await workbench.openFile('tides.txt');
    await eventually('a verdict above both places', async () => (await lens(workbench, 'Reject Hunk').count()) === 2);
    await page.locator('.editor-actions').getByRole('button', { name: 'Accept', exact: true }).waitFor();
    await workbench.screenshot('changed-files-editor');
    await lens(workbench, 'Reject Hunk').first().click();
    await eventually('the first line back', async () => (await tides()) === TIDES.replace('six', '6'));
    await eventually('one place left', async () => (await lens(workbench, 'Reject Hunk').count()) === 1);
    await workbench.hideChat();
    const marked = page.locator('.explorer-folders-view [aria-label*="not reviewed yet"]');
    await eventually('the marks of three files', async () => (await marked.count()) >= 3);
    await workbench.reload();
    await Chat.open(workbench);
    await shelf(chat).getByText('3 files').waitFor();
    // Which editors were open VS Code writes down only now and then.
    await workbench.openFile('tides.txt');
    await eventually('the place that is left', async () => (await lens(workbench, 'Accept Hunk').count()) === 1);
    await lens(workbench, 'Accept Hunk').click();
    await shelf(chat).getByText('2 files').waitFor();
    assert.equal(await tides(), TIDES.replace('six', '6'));
  });

  it('is accepted and rejected by file and all at once, and the model is told what was taken back', async () => {
    const desk = await bench.goOn(FILES);
    await desk.chat.button('Approval mode: default').click();
    await desk.workbench.pick('Edit');
    await desk.chat.button('Approval mode: autoEdit').waitFor();
    const { workbench, chat, folder } = await edited(desk);
    const { page } = workbench;
    await chat.button('Show changed files').click();
    await chat.button('Accept src/tides.txt').click();
    await shelf(chat).getByText('2 files').waitFor();
    await chat.button(`Reject ${NEW}`).click();
    await shelf(chat).getByText('1 file').waitFor();
    await eventually('the new file gone', () => !existsSync(join(folder, NEW)));
    await chat.button('Review').click();
    await page.getByRole('tab', { name: 'notes.md (to review)' }).waitFor();
    // The diff takes the focus after its tab is there.
    await page.locator('.monaco-diff-editor .focused').first().waitFor();
    await workbench.screenshot('changed-files-diff');
    await chat.button('Reject All').click();
    await shelf(chat).getByText('1 file').waitFor({ state: 'detached' });
    const notes = (): Promise<string> => readFile(join(folder, 'notes.md'), 'utf8');
    await eventually('the notes back', async () => (await notes()) === NOTES);
    assert.equal(await readFile(join(folder, 'src/tides.txt'), 'utf8'), DIGITS);
    await eventually('the focus in the message box', () => chat.input.evaluate((box) => box.matches(':focus')));
    gemini().reply('I see.');
    await chat.ask('And now?');
    const told = JSON.stringify(gemini().requests.at(-1)?.contents);
    assert.match(told, /took these back.*The file was removed.*notes\.md/);
  });

  it('is commented on in its diff, and the comment waits through a reload for the next message', async () => {
    const { workbench, chat } = await edited(await opened());
    const { page } = workbench;
    await chat.button('Show changed files').click();
    await shelf(chat).getByTitle('Open notes.md').click();
    const tab = page.getByRole('tab', { name: 'notes.md (to review)' });
    await tab.waitFor();
    await page
      .locator('.monaco-diff-editor .editor.modified .view-line')
      .filter({ hasText: /^Digits.now\.$/ })
      .click();
    await workbench.runCommand('Comments: Add Comment on Current Selection');
    const thread = page.locator('.review-widget');
    await thread.locator('.monaco-editor').first().waitFor();
    await page.keyboard.type('Say which');
    await thread.getByRole('button', { name: /^Add Comment/ }).click();
    await thread.getByText('Say which').waitFor();
    await thread.getByText('Goes to Gantry with your next message').waitFor();
    await workbench.screenshot('changed-files-comment');
    await workbench.reload();
    await Chat.open(workbench);
    await shelf(chat).getByText('3 files').waitFor();
    await workbench.openFile('notes.md');
    await thread.getByText('Goes to Gantry with your next message').waitFor();
    await thread.getByText('Say which').waitFor();
    gemini().reply('I see.');
    await chat.ask('Go on');
    const told = JSON.stringify(gemini().requests.at(-1)?.contents);
    assert.match(told, /commented on one of them:\\nnotes\.md, line 2:\\n> Digits now\.\\nSay which.*Go on/);
    await thread.getByText('Sent to Gantry').waitFor();
    gemini().reply('Yes.');
    await chat.ask('And on');
    assert.equal(JSON.stringify(gemini().requests.at(-1)?.contents).match(/Say which/g)?.length, 1);
  });
});

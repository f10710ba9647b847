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
import type { ColorTheme } from '../support/workbench.ts';

const THEMES: readonly ColorTheme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

const lines = (...of: readonly string[]): string => of.map((line) => `${line}\n`).join('');
const TIDES = lines('one', 'two', 'three', 'four', 'five', 'six', 'seven');
const NOTES = lines('# Notes', 'Nothing yet.');

const replace = (file_path: string, old_string: string, new_string: string) =>
  call('replace', { file_path, old_string, new_string, instruction: 'As asked' });

describe('What autoEdit changed', () => {
  const gemini = useGemini();
  const bench = useWorkbench(() => ({
    trust: 'all',
    env: { GOOGLE_GEMINI_BASE_URL: gemini().url },
    settings: { 'gantry.approvalMode': 'autoEdit', 'files.autoSave': 'off' },
  }));

  function turn(): void {
    gemini().reply(
      replace('src/tides.txt', 'two', '2'),
      replace('src/tides.txt', 'six', '6'),
      replace('notes.md', 'Nothing yet.', 'Digits now.'),
      call('write_file', { file_path: 'src/a-rather-long-name-for-a-new-file.txt', content: 'new\n' }),
    );
    gemini().reply('Done.');
  }

  it('waits on the shelf and in the editor, over a reload, until each place has a verdict', async () => {
    turn();
    const folder = await bench.folder({ 'src/tides.txt': TIDES, 'notes.md': NOTES });
    const workbench = await bench.open({ folder });
    const { page } = workbench;
    const content = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const lens = (name: string): Locator => page.locator('.codelens-decoration a').getByText(name, { exact: true });
    const chat = await Chat.open(workbench);
    const shelf = chat.locator('gantry-changed-files');
    await chat.ask('Use digits');
    await shelf.getByText('3 files').waitFor();
    assert.equal(await page.locator('.editor-group-container .tab').count(), 0, 'nothing opens by itself');

    await chat.button('Show changed files').click();
    await chat.button('Accept src/tides.txt').waitFor();
    await workbench.setSideBarWidth(300);
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      const frame = await workbench.chatFrame();
      const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide in ${theme}`);
      await workbench.screenshot(`changed-files-${theme}-300`);
    }
    await workbench.setTheme('dark');
    await workbench.setSideBarWidth(420);
    await workbench.screenshot('changed-files-dark-420');

    await workbench.openFile('tides.txt');
    await eventually('a verdict above both places', async () => (await lens('Reject Hunk').count()) === 2);
    await workbench.screenshot('changed-files-editor');
    await lens('Reject Hunk').first().click();
    await eventually('the first line back', async () => (await content('src/tides.txt')) === TIDES.replace('six', '6'));
    await eventually('one place left', async () => (await lens('Reject Hunk').count()) === 1);
    await workbench.hideChat();
    const inExplorer = page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'notes.md' });
    await eventually('the mark of the file', async () => (await inExplorer.innerHTML()).includes('Δ'));

    await workbench.reload();
    await Chat.open(workbench);
    await shelf.getByText('3 files').waitFor();
    await chat.button('Accept src/tides.txt').click();
    await shelf.getByText('2 files').waitFor();
    await chat.button('Reject src/a-rather-long-name-for-a-new-file.txt').click();
    await shelf.getByText('1 file', { exact: false }).waitFor();
    await eventually('the new file gone', () => !existsSync(join(folder, 'src/a-rather-long-name-for-a-new-file.txt')));
    assert.equal(await content('src/tides.txt'), TIDES.replace('six', '6'));

    await chat.button('Review').click();
    await page.getByRole('tab', { name: 'notes.md (to review)' }).waitFor();
    await eventually('the verdicts in the diff', async () => (await lens('Accept Hunk').count()) === 1);
    await workbench.screenshot('changed-files-diff');
    await chat.button('Reject All').click();
    await eventually('the notes back', async () => (await content('notes.md')) === NOTES);
    await shelf.getByText('1 file').waitFor({ state: 'detached' });
    await eventually('the focus in the message box', () => chat.input.evaluate((box) => box.matches(':focus')));

    gemini().reply('I see.');
    await chat.ask('And now?');
    const told = JSON.stringify(gemini().requests.at(-1)?.contents);
    assert.match(told, /took these back/);
    assert.match(told, /notes\.md/);
    assert.match(told, /The file was removed/);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { call } from '../../support/gemini/script.ts';
import { journey } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

describe('A rule', () => {
  const { gemini, bench } = useSharedWorkbench();
  /** The text of the editor group, without the page's own blanks. */
  const group = ({ page }: Workbench, at: number): Locator => page.locator('.editor-group-container').nth(at);
  const shows = (editor: Locator, text: string): Promise<void> =>
    editor.locator('.view-lines').getByText(text).first().waitFor();

  journey('is written about a call that waits, tried at once, and lets the call run when it is saved', async () => {
    gemini().reply(call('run_shell_command', { command: 'touch ruled.txt' }));
    gemini().reply('Done.');
    const { workbench, chat, folder } = await bench.goOn({ 'a.txt': 'a' });
    const { keyboard } = workbench.page;
    const file = join(bench.server.geminiHome, '.gemini/policies/my-rules.toml');
    await chat.send('Make the file');
    const card = chat.tool('run_shell_command');
    await card.getByRole('button', { name: 'Allow once' }).waitFor();
    await workbench.runCommand('Gantry: Focus Pending Approval');
    await eventually('the card', async () => (await chat.focusedName()).startsWith('Run this command?'));
    await keyboard.press('Tab');
    await eventually('the first button', async () => (await chat.focusedName()) === 'Allow once');
    await keyboard.press('ArrowDown');
    await card.getByRole('menuitem', { name: 'Write a rule for this…' }).waitFor();
    await workbench.screenshot('rule-menu');
    for (let item = 0; item < 2; item++) await keyboard.press('ArrowDown');
    assert.equal(await chat.focusedName(), 'Write a rule for this…');
    await keyboard.press('Enter');
    await workbench.page.getByPlaceholder('Where does the rule belong?').waitFor();
    await workbench.screenshot('rule-place');
    await keyboard.press('Enter');
    await workbench.page
      .locator('.quick-input-widget')
      .getByText(`For a file in ${dirname(file)}.`)
      .waitFor();
    await workbench.screenshot('rule-file');
    await keyboard.press('Enter');
    await shows(group(workbench, 1), 'It requires approval.');
    await workbench.screenshot('rule-begun');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await shows(group(workbench, 1), 'It runs without asking.');
    assert.equal(existsSync(file), false);
    await workbench.screenshot('rule-written');
    await keyboard.press('Control+s');
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
    await workbench.screenshot('rule-saved');
    assert.ok(existsSync(join(folder, 'ruled.txt')));
    assert.match(await readFile(file, 'utf8'), /\[\[rule\]\]\ntoolName = "run_shell_command"\ncommandPrefix = "touch/);
    await rm(file);
  });
});

import assert from 'node:assert/strict';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { createTempRepository } from '../../support/git-repository.ts';
import { it } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import type { Workbench } from '../../support/workbench.ts';

describe('From where the user is', () => {
  const gemini = useGemini();
  const bench = useWorkbench(() => ({
    trust: 'all',
    env: { GOOGLE_GEMINI_BASE_URL: gemini().url },
    settings: { 'git.enabled': true, 'git.openRepositoryInParentFolders': 'never' },
  }));

  const sent = (): string => JSON.stringify(gemini().requests.at(-1)?.contents.at(-1));
  const chips = (message: Locator): Promise<string[]> => message.locator('.chip').allInnerTexts();

  it('a problem is fixed from its light bulb, and a half-typed message stays', async () => {
    gemini().reply('It needs a value.');
    const workbench = await bench.open({ folder: await bench.folder({ 'broken.json': 'tide\n' }) });
    const chat = await Chat.open(workbench);
    await chat.input.fill('half a thought');
    await workbench.openFile('broken.json');
    await workbench.page.locator('.monaco-editor .squiggly-error').first().waitFor();
    const fix = workbench.page.getByRole('option', { name: 'Fix with Gantry' });
    await eventually('the light bulb', async () => {
      await workbench.page.keyboard.press('Control+.');
      await fix.waitFor({ timeout: 2_000 });
      return true;
    });
    await workbench.screenshot('quick-fix');
    // Until the mouse moves, the menu takes no click: it may have opened under a mouse that lay there.
    await fix.hover({ force: true });
    await fix.click();
    const message = chat.userMessages.first();
    await message.getByText('Fix this problem.').waitFor();
    await chat.answers.getByText('It needs a value.').waitFor();
    await chat.finished();
    assert.match((await chips(message)).join(), /broken\.json:1/);
    assert.match(sent(), /Line 1: error/);
    assert.equal(await chat.input.inputValue(), 'half a thought');
  });

  it('the menu of an editor has everything under one name', async () => {
    gemini().reply('Two tides.');
    const workbench = await bench.open({ folder: await bench.folder({ 'tide.txt': 'high\nlow\n' }) });
    const chat = await Chat.open(workbench);
    await workbench.openFile('tide.txt');
    await workbench.page.keyboard.press('Control+a');
    const { page } = workbench;
    await page.locator('.monaco-editor .view-line').first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Gantry', exact: true }).hover();
    const explain = page.getByRole('menuitem', { name: 'Explain Selection' });
    await explain.waitFor();
    await workbench.screenshot('editor-menu');
    await explain.click();
    await chat.answers.getByText('Two tides.').waitFor();
    await chat.finished();
    assert.match(sent(), /high\\nlow/);
  });

  it('a commit message is written into the input of Source Control, and undo brings the draft back', async () => {
    const repository = await createTempRepository({ 'tide.txt': 'low\n' }, ['tides: begin', 'tides: go on']);
    try {
      await repository.write({ 'tide.txt': 'high\n' });
      const workbench = await bench.open({ folder: repository.path });
      const input = await openSourceControl(workbench);
      await input.click();
      await workbench.page.keyboard.type('because of the moon');
      gemini().reply('tides: say high, because of the moon');
      const button = workbench.page.getByRole('button', { name: 'Generate Commit Message' }).first();
      await workbench.screenshot('source-control');
      await button.click();
      // It goes by itself after a while. The button's tooltip goes with the mouse, and covers the input until then.
      await workbench.notification('that you started').hover();
      await input.getByText('tides: say high').waitFor();
      assert.match(sent(), /-low\\n\+high/);
      assert.match(sent(), /- tides: go on\\n- tides: begin/);
      await workbench.screenshot('commit-message');
      await input.click();
      await workbench.page.keyboard.press('Control+z');
      await eventually(
        'the draft',
        async () => (await input.innerText()).replace(/\s/g, ' ').trim() === 'because of the moon',
      );
    } finally {
      await repository.dispose();
    }
  });

  it('a link fills the input, and nothing is sent', async () => {
    const workbench = await bench.open({ folder: await bench.folder({ 'tide.txt': 'high\n' }) });
    const chat = await Chat.open(workbench);
    await chat.input.fill('My words.');
    await workbench.runCommand('Developer: Open URL');
    await workbench.quickInput.fill('vscode://gantry.gantry/new?prompt=Delete%20it%20all&file=tide.txt');
    await workbench.quickInput.press('Enter');
    const dialog = workbench.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await dialog.getByText('tide.txt').waitFor();
    await workbench.screenshot('link-attaches');
    await dialog.getByRole('button', { name: 'Attach', exact: true }).click();
    await eventually('the words', async () => /My words\.\s+Delete it all/.test(await chat.input.inputValue()));
    await chat.locator('.composer').getByText('tide.txt').first().waitFor();
    await workbench.notification('came from a link').waitFor();
    await workbench.screenshot('link');
    assert.equal(gemini().requests.length, 0);
    assert.equal(await chat.userMessages.count(), 0);
  });
});

describe('The walkthrough', () => {
  const bench = useWorkbench({ trust: 'all' });

  it('leads to the first edit, without a key, and ticks off what was done', async () => {
    const workbench = await bench.open({ folder: await bench.folder({ 'README.md': '# Tides\n' }) });
    await workbench.runCommand('Welcome: Open Walkthrough...');
    await workbench.pick('Get started with Gantry');
    const { page } = workbench;
    const step = page.locator('.getting-started-step', { hasText: 'Review an edit and approve it' });
    await step.click();
    await workbench.screenshot('walkthrough');
    await page.getByRole('button', { name: 'Show Me an Edit' }).click();
    const chat = await Chat.open(workbench);
    await eventually('the words', async () => (await chat.input.inputValue()) === 'Show me an edit');
    assert.equal(await chat.userMessages.count(), 0);
    await chat.button('Send').click();
    await chat.tool('write_file').getByRole('button', { name: 'Allow once', exact: true }).click();
    await chat.answers.getByText('is in your folder now').waitFor();
    await chat.finished();
    await step.locator('.codicon-getting-started-step-checked').waitFor();
    await workbench.screenshot('walkthrough-done');
  });
});

async function openSourceControl(workbench: Workbench): Promise<Locator> {
  await workbench.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Source Control/ })
    .click();
  const input = workbench.page.locator('.scm-editor .view-lines').first();
  await input.waitFor({ timeout: 20_000 });
  await workbench.page.locator('.scm-view').getByText('tide.txt').first().waitFor({ timeout: 20_000 });
  return input;
}

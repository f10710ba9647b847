import assert from 'node:assert/strict';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import { it } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { ColorTheme, Workbench } from '../../support/workbench.ts';

const THEMES: readonly ColorTheme[] = ['dark', 'light', 'hc-dark', 'hc-light'];

describe('What goes with a message', () => {
  const { gemini, bench } = useSharedWorkbench();

  const attached = (chat: Chat): Locator => chat.locator('.composer').getByRole('group', { name: 'Attached' });
  const chips = (chat: Chat): Promise<string[]> => attached(chat).locator('.chip').allInnerTexts();
  const openEditor = (chat: Chat): Locator => chat.locator('.composer .open-editor');
  /** The texts of the user's last turn, as the model got them. */
  const sentTexts = (): string[] =>
    (
      gemini()
        .requests.at(-1)
        ?.contents.findLast(({ role }) => role === 'user')?.parts ?? []
    ).map(({ text }) => text ?? '');

  async function open(files: Readonly<Record<string, string>>): Promise<{ workbench: Workbench; chat: Chat }> {
    const workbench = await bench.open({ folder: await bench.folder(files) });
    return { workbench, chat: await Chat.open(workbench) };
  }

  async function chooseInMenu({ page }: Workbench, on: Locator, ...entries: readonly string[]): Promise<void> {
    await on.click({ button: 'right' });
    for (const name of entries.slice(0, -1)) await page.getByRole('menuitem', { name, exact: true }).hover();
    const last = page.getByRole('menuitem', { name: entries.at(-1) ?? '' });
    await last.waitFor();
    // In its first tenth of a second a menu takes no click.
    await eventually(`"${entries.at(-1)}" to be taken`, async () => {
      if ((await last.count()) > 0) await last.click({ timeout: 2_000 });
      return (await last.count()) === 0;
    });
  }

  it('a selection is added by key, is sent, and is still with the message after a reload', async () => {
    gemini().reply('Because.');
    const { workbench, chat } = await bench.goOn({ 'src/auth.txt': 'one\ntwo\nthree\nfour\n' });
    await workbench.openFile('auth.txt');
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await workbench.page.keyboard.press('Control+Alt+a');
    await attached(chat).getByText('auth.txt:2-3').waitFor();
    await eventually('the focus in the message box', () => chat.input.evaluate((element) => element.matches(':focus')));
    assert.equal(gemini().requests.length, 0);
    await chat.ask('Why so?');
    assert.equal(await attached(chat).count(), 0);
    assert.deepEqual(sentTexts().slice(0, 2), [
      'Why so?',
      'The user attached lines 2-3 of "src/auth.txt":\n<untrusted_context>\ntwo\nthree\n\n</untrusted_context>',
    ]);
    await workbench.reload();
    await workbench.openChat();
    const chip = chat.userMessages.getByRole('button', { name: 'Open auth.txt:2-3' });
    await chip.waitFor();
    assert.equal(await chat.userMessages.locator('gantry-clamped-text').innerText(), 'Why so?');
  });

  it('files and folders come from the Explorer and outlive the page, and one that is too large is refused and stays', async () => {
    gemini().reply('Fine.');
    const { workbench, chat } = await open({
      'a.txt': 'text of a',
      'b.txt': 'text of b',
      'large.log': 'x'.repeat(1_200_000),
      'src/deep.ts': 'text of deep',
    });
    const item = (name: string): Locator =>
      workbench.page.locator('.explorer-folders-view').getByRole('treeitem', { name, exact: true });
    await workbench.runCommand('View: Show Explorer');
    // Not a plain click: it opens an editor, which selects its file alone in the Explorer once it is there. While the Explorer
    // is still reading the folder, a selection may be undone.
    const select = async (name: string): Promise<boolean> => {
      const isSelected = (await item(name).getAttribute('aria-selected')) === 'true';
      if (!isSelected) await item(name).click({ modifiers: ['Control'] });
      return isSelected;
    };
    await eventually('both files to be selected', async () => (await select('a.txt')) && (await select('b.txt')), {
      intervalMs: 500,
    });
    await chooseInMenu(workbench, item('b.txt'), 'Gantry', 'Add File to Chat');
    await attached(chat).getByText('b.txt').waitFor();
    await workbench.runCommand('View: Show Explorer');
    await chooseInMenu(workbench, item('src'), 'Gantry', 'Add Folder to Chat');
    await attached(chat).getByText('src').waitFor();
    await workbench.runCommand('View: Show Explorer');
    await chooseInMenu(workbench, item('large.log'), 'Gantry', 'Add File to Chat');
    await attached(chat).getByText('large.log').waitFor();
    await chat.send('What is this?');
    await chat.alert.getByText('large.log is too large to attach (1.1 MB)').waitFor();
    assert.equal(await chat.input.inputValue(), 'What is this?');
    // Two files come in the order in which they were selected, and a selection that was undone was made again.
    const [first, second, ...later] = await chips(chat);
    assert.deepEqual(
      [[first, second].sort(), later],
      [
        ['a.txt', 'b.txt'],
        ['src', 'large.log'],
      ],
    );
    await chat.input.press('Home');
    await chat.input.press('Backspace');
    await attached(chat).getByText('large.log').waitFor({ state: 'detached' });
    await attached(chat).getByRole('button', { name: 'Remove b.txt' }).click();
    await attached(chat).getByText('b.txt').waitFor({ state: 'detached' });
    await chat.button('Send').click();
    await chat.answers.getByText('Fine.').waitFor();
    await chat.finished();
    const sent = sentTexts().join('\n');
    assert.match(sent, /The user attached the file "a\.txt":\n<untrusted_context>\ntext of a\n/);
    assert.match(sent, /The user attached the folder "src"\. What is in it:\n<untrusted_context>\ndeep\.ts\n/);
    assert.doesNotMatch(sent, /text of b|text of deep|xxx/);
  });

  it('what is selected in a terminal is added, and the clipboard is as it was', async () => {
    gemini().reply('It failed.');
    const { workbench, chat } = await open({ 'a.txt': 'a' });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.runCommand('Terminal: Create New Terminal');
    const terminal = workbench.page.locator('.terminal-wrapper.active .xterm-screen');
    await terminal.waitFor();
    await workbench.page.evaluate(() => navigator.clipboard.writeText('mine'));
    await workbench.page.keyboard.type('echo failed-$((40+2))\n');
    // What the shell prints is drawn on a canvas: only its integration says that the command is over.
    await workbench.page.locator('.terminal-wrapper.active .terminal-command-decoration').nth(1).waitFor();
    await workbench.runCommand('Terminal: Select All');
    await chooseInMenu(workbench, terminal, 'Gantry', 'Add Terminal Selection to Chat');
    await attached(chat).waitFor();
    await chat.ask('What happened?');
    assert.match(
      sentTexts().join('\n'),
      /The user attached this from a terminal:\n<untrusted_context>\n".+":\n[\s\S]*failed-42/,
    );
    assert.equal(await workbench.page.evaluate(() => navigator.clipboard.readText()), 'mine');
  });

  it('the open editor goes along, only what changed the next time, and not at all once it is switched off', async () => {
    gemini().always('Yes.');
    const { workbench, chat } = await open({ 'src/auth.txt': 'one\ntwo\n', 'other.txt': 'x', '.env': 'KEY=hidden' });
    await chat.ask('Nothing is open');
    assert.deepEqual(sentTexts(), ['Nothing is open']);
    await workbench.openFile('other.txt');
    await workbench.openFile('auth.txt');
    await openEditor(chat).getByText('auth.txt', { exact: true }).waitFor();
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await openEditor(chat).getByText('auth.txt:1', { exact: true }).waitFor();
    assert.equal(await openEditor(chat).getAttribute('aria-label'), 'Include open editor: auth.txt:1');
    assert.equal(await openEditor(chat).getAttribute('aria-pressed'), 'true');
    await chat.ask('This one');
    assert.match(
      sentTexts()[1] ?? '',
      /Active file: src\/auth\.txt, cursor in line 2\nSelected in src\/auth\.txt, lines 1-1:\n\| one\n/,
    );
    assert.match(sentTexts()[1] ?? '', /Also open, the most recently used first: other\.txt/);
    await chat.userMessages.nth(1).getByText('auth.txt:1', { exact: true }).waitFor();
    await chat.ask('And again');
    assert.deepEqual(sentTexts(), ['And again']);
    await workbench.openFile('.env');
    await openEditor(chat).getByText('2 open files').waitFor();
    await chat.ask('A secret is open');
    assert.match(sentTexts()[1] ?? '', /Changed since .*\nActive file: none\nSelected: nothing/);
    assert.doesNotMatch(JSON.stringify(gemini().requests.at(-1)?.contents), /\.env|hidden/);
    await workbench.openFile('other.txt');
    await openEditor(chat).getByText('other.txt', { exact: true }).click();
    await eventually(
      'the chip that is off',
      async () => (await openEditor(chat).getAttribute('aria-pressed')) === 'false',
    );
    await chat.ask('Off');
    assert.deepEqual(sentTexts(), ['Off']);
  });

  it('fits a side bar of 300 px in the four themes', async () => {
    gemini().reply('They do not differ.');
    const { workbench, chat } = await open({
      'src/a-rather-long-name-for-a-module.test.txt': 'one\ntwo\n',
      'src/auth.txt': 'one\ntwo\n',
    });
    const select = async (name: string): Promise<void> => {
      await workbench.openFile(name);
      await workbench.page.keyboard.press('Shift+ArrowDown');
      await workbench.runCommand('Gantry: Add Selection to Chat');
      await attached(chat).getByText(name.slice(0, 4)).waitFor();
    };
    await workbench.setSideBarWidth(300);
    await select('auth.txt');
    await select('a-rather-long-name-for-a-module.test.txt');
    await chat.ask('How do these differ?');
    await select('auth.txt');
    await select('a-rather-long-name-for-a-module.test.txt');
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      const frame = await workbench.chatFrame();
      const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide in ${theme}`);
      await workbench.screenshot(`chips-${theme}-300`);
    }
    await openEditor(chat).click();
    await workbench.screenshot('chips-off-300');
    await workbench.setTheme('dark');
  });
});

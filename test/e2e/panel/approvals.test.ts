import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import { call, together } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';

describe('Before something runs', () => {
  const { gemini, bench } = useSharedWorkbench();

  const LIST = { 'list.txt': 'one\ntwo\nthree\n' };

  const button = (chat: Chat, tool: string, name: string): Locator =>
    chat.tool(tool).getByRole('button', { name, exact: true });
  const toldToModel = (): string => JSON.stringify(gemini().requests.at(-1)?.toolResults);
  const replaceTwo = call('replace', {
    file_path: 'list.txt',
    old_string: 'two',
    new_string: '2',
    instruction: 'Digits',
  });
  const touch = call('run_shell_command', { command: 'touch made.txt' });

  journey('an edit shows its diff, waits for the yes, and keeps what was typed and not saved', async () => {
    gemini().reply('It becomes a digit.', replaceTwo);
    gemini().reply('Done.');
    const { workbench, chat, folder } = await bench.goOn(LIST);
    const file = join(folder, 'list.txt');
    await workbench.openFile('list.txt');
    await workbench.page.keyboard.type('zero, ');
    await chat.send('Use digits');
    const diff = chat.tool('replace').getByRole('group', { name: 'Changes to list.txt' });
    await diff.waitFor();
    assert.equal(await diff.locator('.removed').innerText(), '2\n−\ntwo');
    assert.equal(await diff.locator('.added').innerText(), '2\n+\n2');
    assert.equal(await readFile(file, 'utf8'), 'one\ntwo\nthree\n');
    await workbench.screenshot('edit-asks');
    await button(chat, 'replace', 'Allow once').click();
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
    assert.equal(await readFile(file, 'utf8'), 'zero, one\n2\nthree\n');
    await button(chat, 'replace', 'Show details').click();
    await diff.getByText('zero, one').waitFor();
  });

  journey('a no stops it, and the words that go with it reach the model', async () => {
    gemini().reply(replaceTwo);
    gemini().reply('Then another way.', touch);
    gemini().reply('I will leave it.');
    const { chat, folder } = await bench.goOn(LIST);
    await chat.send('Change it somehow');
    await button(chat, 'replace', 'Reject').click();
    await chat.answerFromMenu('run_shell_command', 'reject', 'Reject with a reason…');
    assert.match(toldToModel(), /The user refused this call\./);
    await chat.tool('run_shell_command').getByRole('textbox', { name: 'Why not' }).fill('Use a script instead');
    await chat.tool('run_shell_command').getByRole('textbox', { name: 'Why not' }).press('Enter');
    await chat.answers.getByText('I will leave it.').waitFor();
    await chat.finished();
    assert.match(toldToModel(), /They said: Use a script instead/);
    await chat.tool('replace').getByText('Rejected').waitFor();
    await chat.tool('run_shell_command').getByText('“Use a script instead”').waitFor();
    assert.equal(await readFile(join(folder, 'list.txt'), 'utf8'), 'one\ntwo\nthree\n');
    assert.equal(existsSync(join(folder, 'made.txt')), false);
  });

  it('two edits of a step are written with one answer', async () => {
    const write = (name: string) => call('write_file', { file_path: name, content: `${name}\n` });
    gemini().reply(together(write('one.txt'), write('two.txt')));
    gemini().reply('Done.');
    const { workbench, chat, folder } = await bench.goOn(LIST);
    await chat.send('Write two files');
    await chat.button('Allow all 2 edits').waitFor();
    await chat.locator('.ask[data-settling]').first().waitFor({ state: 'detached' });
    await workbench.screenshot('two-edits');
    await chat.button('Allow all 2 edits').click();
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
    for (const name of ['one.txt', 'two.txt']) assert.equal(await readFile(join(folder, name), 'utf8'), `${name}\n`);
  });

  it('a command that is allowed for the session is not asked about again in it', async () => {
    gemini().reply(touch);
    gemini().reply('Again.', touch);
    gemini().reply('Done.');
    const { workbench, chat, folder } = await bench.goOn(LIST);
    await chat.send('Make a file, twice');
    await chat.answerFromMenu('run_shell_command', 'allow', 'Allow for this session');
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
    assert.equal(await chat.tool('run_shell_command').count(), 2);
    assert.ok(existsSync(join(folder, 'made.txt')));
    await workbench.runCommand('Gantry: New Session');
    await chat.answers.first().waitFor({ state: 'detached' });
    gemini().reply(touch);
    gemini().reply('As you wish.');
    await chat.send('And in a new session?');
    await button(chat, 'run_shell_command', 'Reject').click();
    await chat.finished();
  });

  for (const { scope, home } of [
    { scope: 'this folder', home: (folder: string): string => folder },
    { scope: 'every folder', home: (): string => bench.server.geminiHome },
  ]) {
    it(`a command that is always allowed in ${scope} asks again once its rule is deleted`, async () => {
      gemini().reply(touch);
      gemini().reply('Once more.', touch);
      gemini().reply('Done.');
      const { workbench, chat, folder } = await bench.goOn(LIST);
      const rules = join(home(folder), '.gemini', 'policies', 'auto-saved.toml');
      await chat.send('Make a file, twice');
      await chat.answerFromMenu('run_shell_command', 'allow', 'Always allow', `in ${scope}`);
      await chat.answers.getByText('Done.').waitFor();
      await chat.finished();
      assert.match(await readFile(rules, 'utf8'), /touch made\\?.*\.txt/);
      await workbench.runCommand('Gantry: Open Policies');
      await workbench.pick('auto-saved.toml');
      await workbench.page.getByRole('tab', { name: /^auto-saved\.toml/ }).waitFor();
      await rm(rules);
      await eventually('the rules without it', async () => {
        await workbench.runCommand('Gantry: Open Policies');
        await workbench.page.getByRole('option', { name: /^write\.toml/ }).waitFor();
        const isListed = await workbench.page.getByRole('option', { name: /^auto-saved\.toml/ }).isVisible();
        await workbench.page.keyboard.press('Escape');
        return !isListed;
      });
      // The session in which it was said keeps the answer.
      await workbench.runCommand('Gantry: New Session');
      await chat.answers.first().waitFor({ state: 'detached' });
      gemini().reply(touch);
      gemini().reply('As you wish.');
      await chat.send('And now?');
      await button(chat, 'run_shell_command', 'Reject').click();
      await chat.finished();
    });
  }

  it('a command shows what cannot be seen in it, names its rule, and can be allowed only once', async () => {
    gemini().reply(call('run_shell_command', { command: 'cat list\u200b.txt' }));
    gemini().reply('Done.');
    const { chat } = await bench.goOn(LIST);
    await chat.send('Show me the list');
    const card = chat.tool('run_shell_command');
    await card.locator('.glyph').getByText('U+200B').waitFor();
    await card.getByText('invisible characters').waitFor();
    assert.equal(await button(chat, 'run_shell_command', 'More ways to allow').count(), 0);
    await button(chat, 'run_shell_command', 'Allow once').click();
    await chat.finished();
    await card.getByText('exit 1').waitFor();
  });

  it('the rule that asks can be opened from the card', async () => {
    gemini().reply(replaceTwo);
    gemini().reply('Fine.');
    const { workbench, chat } = await bench.goOn(LIST);
    await chat.send('Use digits');
    await chat
      .tool('replace')
      .getByRole('link', { name: /^write\.toml:\d+$/ })
      .click();
    await workbench.page.getByRole('tab', { name: /^write\.toml/ }).waitFor();
    await button(chat, 'replace', 'Reject').click();
    await chat.finished();
  });

  const LONG = `cat <<'EOF'\n${Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\n')}\nEOF`;

  it('a long command is scrolled to its end before it can be allowed, and a row leads back to it', async function () {
    this.timeout(120_000);
    gemini().reply(
      Array.from({ length: 40 }, (_, line) => `Line ${line} of a long one.\n\n`).join(''),
      call('run_shell_command', { command: LONG }),
    );
    gemini().reply('Done.');
    const workbench = await bench.open({ folder: await bench.folder() });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    await chat.send('Show me lines');
    const allow = button(chat, 'run_shell_command', 'Allow once');
    await chat.tool('run_shell_command').getByText('Scroll to the end to allow.').waitFor();
    await chat.tool('run_shell_command').locator('.ask:not([data-settling])').waitFor();
    await eventually('the greyed yes', async () => (await allow.getAttribute('aria-disabled')) === 'true');
    await workbench.screenshot('long-command-300');
    await allow.click({ force: true });
    assert.equal(await chat.tool('run_shell_command').getByText('exit 0').count(), 0);
    const command = chat.tool('run_shell_command').getByRole('group', { name: 'Command', exact: true });
    await eventually('the focus on the command', () => command.evaluate((element) => element.matches(':focus')));

    await chat.conversation.evaluate((log) => log.scrollTo(0, 0));
    await chat.locator('.approval-pointer').getByText('Needs you: Run this command?').waitFor();
    await workbench.screenshot('approval-pointer-300');
    await chat.locator('.approval-pointer').click();
    await chat.locator('.approval-pointer').waitFor({ state: 'detached' });
    await command.focus();
    await workbench.page.keyboard.press('End');
    await chat.tool('run_shell_command').getByText('Scroll to the end to allow.').waitFor({ state: 'detached' });
    await eventually('the yes', async () => (await allow.getAttribute('aria-disabled')) !== 'true');
    await allow.click();
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
  });

  it('can be answered by keys alone, and by none that was meant for something else', async () => {
    gemini().reply(touch);
    gemini().reply(replaceTwo);
    gemini().reply('Done.');
    const { workbench, chat, folder } = await bench.goOn(LIST);
    const { keyboard } = workbench.page;
    const focused = (name: string): Promise<unknown> =>
      eventually(`the focus on ${name}`, () => chat.focusedName().then((focus) => focus === name));
    await chat.send('Make a file, then change the list');
    await button(chat, 'run_shell_command', 'Allow once').waitFor();
    // Steering, with the focus in the input.
    await chat.input.fill('And quickly');
    await chat.input.press('Enter');
    await chat.input.press('Control+Enter');
    await chat.text('Steering').waitFor();
    assert.equal(existsSync(join(folder, 'made.txt')), false);

    await workbench.runCommand('View: Show Explorer');
    await workbench.runCommand('Gantry: Focus Pending Approval');
    await focused('Run this command?');
    await keyboard.press('Enter');
    await keyboard.press('Space');
    assert.equal(existsSync(join(folder, 'made.txt')), false);
    await keyboard.press('Tab');
    await focused('Allow once');
    await keyboard.press('Control+Enter');
    await eventually('the file', () => existsSync(join(folder, 'made.txt')));

    // In its first moment a card takes no key.
    await button(chat, 'replace', 'Allow once').click({ trial: true });
    await keyboard.press('Control+Alt+y');
    await focused('Allow this edit?');
    await keyboard.press('Control+Backspace');
    await chat.answers.getByText('Done.').waitFor();
    await chat.finished();
    assert.equal(await readFile(join(folder, 'list.txt'), 'utf8'), 'one\ntwo\nthree\n');
  });
});

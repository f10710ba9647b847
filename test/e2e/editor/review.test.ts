import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Desk } from '../../support/fixture.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, hold, together } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

const TEXT = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
const DIGITS = TEXT.replace('two', '2').replace('nine', '9');

describe('A proposed edit in the diff editor', () => {
  const { gemini, bench } = useSharedWorkbench();

  const FILES = { 'list.txt': TEXT, 'other.txt': TEXT, 'third.txt': TEXT };

  interface Opened extends Desk {
    text(name: string): Promise<string>;
  }

  const goOn = async (more: Readonly<Record<string, string>> = {}): Promise<Opened> => {
    const desk = await bench.goOn({ ...FILES, ...more });
    return { ...desk, text: (name) => readFile(join(desk.folder, name), 'utf8') };
  };

  const write = (file_path: string, content = DIGITS) => call('write_file', { file_path, content });
  const toldToModel = (): string => JSON.stringify(gemini().requests.at(-1)?.toolResults);
  const diffTab = ({ page }: Workbench, name = 'list.txt'): Locator =>
    page.getByRole('tab', { name: new RegExp(`^${name.replace('.', '\\.')} \\(proposed\\)`) });
  /** The side with the proposal. */
  const proposal = ({ page }: Workbench): Locator => page.locator('.monaco-diff-editor .editor.modified').first();
  const lens = (workbench: Workbench, name: string): Locator =>
    proposal(workbench).locator('.codelens-decoration').getByRole('button', { name, exact: true });
  const titleButton = ({ page }: Workbench, name: string): Locator =>
    page.locator('.editor-actions').getByRole('button', { name, exact: true });
  /** Behind a line of the proposal, with the keyboard there. */
  const clickLine = (workbench: Workbench, text: string): Promise<void> =>
    proposal(workbench)
      .locator('.view-line')
      .filter({ hasText: new RegExp(`^${text}$`) })
      .click();

  it('opens without taking the keyboard, can be changed, and what is accepted is written and told', async () => {
    gemini().reply('Digits.', write('list.txt'));
    gemini().reply('Done.');
    const { workbench, chat, text } = await goOn();
    await chat.send('Use digits');
    await diffTab(workbench).waitFor();
    await lens(workbench, 'Accept Hunk').first().waitFor();
    await chat.input.pressSequentially('still typing here');
    assert.equal(await chat.input.inputValue(), 'still typing here');
    assert.equal(await text('list.txt'), TEXT);
    await clickLine(workbench, 'three');
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.type(' (mine)');
    await titleButton(workbench, 'Accept').click();
    await chat.answers.getByText('Done.').waitFor();
    await diffTab(workbench).waitFor({ state: 'detached' });
    assert.equal(await text('list.txt'), DIGITS.replace('three', 'three (mine)'));
    assert.match(toldToModel(), /The user changed your edit before accepting it.*\+three \(mine\)/);
    await chat.tool('write_file').getByText('changed by you').waitFor({ state: 'attached' });
    await chat.input.fill('');
  });

  journey('is decided place by place, with a lens and with keys', async () => {
    gemini().reply('Digits.', write('list.txt'));
    gemini().reply('Done.');
    const { workbench, chat, text } = await goOn();
    await chat.send('Use digits');
    await lens(workbench, 'Reject Hunk').nth(1).waitFor();
    await lens(workbench, 'Reject Hunk').nth(1).click();
    await lens(workbench, 'Reject Hunk').nth(1).waitFor({ state: 'detached' });
    assert.equal(await text('list.txt'), TEXT);
    await clickLine(workbench, 'nine');
    await workbench.page.keyboard.press('Alt+F5');
    await workbench.page.keyboard.press('Control+K');
    await workbench.page.keyboard.press('y');
    await chat.answers.getByText('Done.').waitFor();
    await diffTab(workbench).waitFor({ state: 'detached' });
    assert.equal(await text('list.txt'), TEXT.replace('two', '2'));
    assert.match(toldToModel(), /-9\\n\+nine/);
  });

  it('stays pending when its tab is closed, and opens again from the card and the palette', async () => {
    gemini().reply('Digits.', write('list.txt'));
    gemini().reply('Fine.');
    const { workbench, chat, text } = await goOn();
    await chat.send('Use digits');
    await diffTab(workbench).waitFor();
    const close = async (): Promise<void> => {
      await diffTab(workbench).click();
      await workbench.runCommand('View: Close Editor');
      await diffTab(workbench).waitFor({ state: 'detached' });
    };
    await close();
    await chat.tool('write_file').getByRole('button', { name: 'Open diff', exact: true }).click();
    await diffTab(workbench).waitFor();
    await workbench.page.locator('.monaco-diff-editor .monaco-editor.focused').waitFor();
    await close();
    await workbench.runCommand('Gantry: Review Pending Changes');
    await diffTab(workbench).waitFor();
    // A key press that is meant for the text is not an answer.
    await clickLine(workbench, 'five');
    await workbench.page.keyboard.type('y');
    assert.equal(await text('list.txt'), TEXT);
    await chat.tool('write_file').getByRole('button', { name: 'Reject', exact: true }).click();
    await diffTab(workbench).waitFor({ state: 'detached' });
    await chat.answers.getByText('Fine.').waitFor();
    assert.equal(await text('list.txt'), TEXT);
  });

  it('is one of several: one list, a verdict for each, and one for all', async () => {
    gemini().reply('All.', together(write('list.txt'), write('other.txt'), write('third.txt')));
    gemini().reply('Done.');
    const { workbench, chat, text } = await goOn();
    await chat.send('Use digits everywhere');
    await lens(workbench, 'Accept All').waitFor();
    assert.equal(await workbench.page.getByRole('tab', { name: /\(proposed\)/ }).count(), 1);
    await workbench.runCommand('Gantry: Review Pending Changes');
    await workbench.page.getByRole('tab', { name: /changes to review/ }).waitFor();
    const files = workbench.page.locator('.multiDiffEntry');
    await eventually('three files in one editor', async () => (await files.count()) === 3);
    const other = files.filter({ hasText: 'other.txt' });
    await other.locator('.codelens-decoration').getByRole('button', { name: 'Reject', exact: true }).click();
    await chat.tool('write_file').nth(1).getByText('Rejected').waitFor();
    await other.locator('.codelens-decoration').getByText('Rejected').waitFor();
    await workbench.page.locator('.editor-actions').getByRole('button', { name: 'Accept All' }).waitFor();
    await workbench.screenshot('review-several');
    const list = files.filter({ hasText: 'list.txt' });
    await list.locator('.codelens-decoration').getByRole('button', { name: 'Accept All', exact: true }).click();
    await chat.answers.getByText('Done.').waitFor();
    assert.deepEqual(
      [await text('list.txt'), await text('other.txt'), await text('third.txt')],
      [DIGITS, TEXT, DIGITS],
    );
  });

  it('carries a comment on its lines to the model', async () => {
    gemini().reply('Digits.', write('list.txt'));
    gemini().reply('I see.');
    const { workbench, chat } = await goOn();
    await chat.send('Use digits');
    await lens(workbench, 'Accept').waitFor();
    await clickLine(workbench, '2');
    await workbench.runCommand('Comments: Add Comment on Current Selection');
    const box = workbench.page.locator('.review-widget .monaco-editor');
    await box.waitFor();
    await workbench.page.keyboard.type('Roman, please');
    await workbench.page
      .locator('.review-widget')
      .getByRole('button', { name: /^Add Comment/ })
      .click();
    await workbench.page.locator('.review-widget').getByText('Roman, please').waitFor();
    await workbench.screenshot('review-comment');
    await titleButton(workbench, 'Reject').click();
    await chat.answers.getByText('I see.').waitFor();
    assert.match(toldToModel(), /They said: list\.txt, line 2:\\n> 2\\nRoman, please/);
  });

  it('is worked out anew when the file changes underneath', async () => {
    const edit = { file_path: 'list.txt', old_string: 'two', new_string: '2', instruction: 'Use a digit' };
    gemini().reply('A digit.', call('replace', edit));
    gemini().reply('Done.');
    const { workbench, chat, folder, text } = await goOn();
    await chat.send('Use digits');
    await diffTab(workbench).waitFor();
    await lens(workbench, 'Accept Hunk').first().waitFor();
    await writeFile(join(folder, 'list.txt'), `zero\n${TEXT}`);
    await proposal(workbench)
      .locator('.view-line')
      .filter({ hasText: /^zero$/ })
      .waitFor();
    // In its first moment a proposal takes no verdict.
    await eventually('the verdict', async () => {
      if (await diffTab(workbench).isVisible()) await titleButton(workbench, 'Accept').click({ timeout: 2_000 });
      return (await diffTab(workbench).count()) === 0;
    });
    await chat.answers.getByText('Done.').waitFor();
    assert.equal(await text('list.txt'), `zero\n${TEXT.replace('two', '2')}`);
  });

  it('is told apart from what a formatter makes of the file', async () => {
    gemini().reply('Added.', write('data.json', '{"a":1,"b":2}\n'));
    gemini().reply('Done.');
    const settings = '{"editor.formatOnSave": true}';
    const { workbench, chat, text } = await goOn({ 'data.json': '{"b":2}\n', '.vscode/settings.json': settings });
    await workbench.openFile('data.json');
    // The formatter takes a moment to come up.
    await eventually('the formatter', async () => {
      await workbench.page.keyboard.press('Control+s');
      return (await text('data.json')) !== '{"b":2}\n';
    });
    await chat.send('Add a');
    await diffTab(workbench, 'data.json').waitFor();
    await lens(workbench, 'Accept').first().waitFor();
    await titleButton(workbench, 'Accept').click();
    await chat.answers.getByText('Done.').waitFor();
    assert.equal(await text('data.json'), '{\n    "a": 1,\n    "b": 2\n}');
    assert.match(toldToModel(), /The editor changed the file further when it saved it/);
    assert.doesNotMatch(toldToModel(), /The user changed your edit/);
  });

  it('leaves the editor alone in which the user is typing', async () => {
    const held = gate();
    gemini().reply('Digits.', hold(held), write('list.txt'));
    gemini().reply('Done.');
    const { workbench, chat } = await goOn();
    await workbench.openFile('third.txt');
    await chat.send('Use digits');
    await held.reached;
    await workbench.page.getByRole('tab', { name: 'third.txt' }).click();
    await workbench.page.keyboard.type('before ');
    held.open();
    await eventually('the diff, while the user types on', async () => {
      await workbench.page.keyboard.type('x');
      return diffTab(workbench).isVisible();
    });
    await workbench.page.keyboard.type(' after');
    const editor = workbench.page
      .locator('.editor-instance')
      .filter({ hasNot: workbench.page.locator('.monaco-diff-editor') });
    await eventually('every key in the file', async () =>
      /before.x+.after/.test(await editor.locator('.view-line').first().innerText()),
    );
    await workbench.screenshot('review-beside');
    await chat.tool('write_file').getByRole('button', { name: 'Reject', exact: true }).click();
    await diffTab(workbench).waitFor({ state: 'detached' });
    await chat.finished();
  });
});

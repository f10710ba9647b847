import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import type { Desk } from '../../support/fixture.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

interface Opened {
  readonly workbench: Workbench;
  readonly chat: Chat;
  /** Where `write_note` writes. */
  readonly note: string;
}

describe('A session', () => {
  const { gemini, bench } = useSharedWorkbench();

  const MILK = { 'milk.md': 'Remember the milk.\n' };

  const at = ({ workbench, chat, folder }: Desk): Opened => ({ workbench, chat, note: join(folder, 'note.txt') });
  const goOn = async (): Promise<Opened> => at(await bench.goOn(MILK));

  async function reloaded(workbench: Workbench): Promise<Chat> {
    await workbench.reload();
    return Chat.open(workbench);
  }

  function writesNote(answer: string): void {
    gemini().reply(call('write_note', { path: 'note.txt', text: 'milk' }));
    gemini().reply(answer);
  }

  /** A conversation of two messages, gone back to before the second one. */
  async function rewoundToSecond({ workbench, chat }: Opened, way: string): Promise<void> {
    gemini().reply('One.');
    gemini().reply('Two.');
    await chat.ask('first');
    await chat.ask('second');
    await workbench.runCommand('Gantry: Rewind…');
    await workbench.pick('second');
    await workbench.pick(way);
    await chat.answers.getByText('Two.').waitFor({ state: 'detached' });
  }

  const approval = (chat: Chat, name: 'Allow once' | 'Reject'): Locator =>
    chat.tool('write_note').getByRole('button', { name, exact: true });

  it('survives a reload', async () => {
    gemini().reply('Blue it is.');
    const { workbench, chat } = await goOn();
    await chat.ask('My favourite colour is blue');
    const again = await reloaded(workbench);
    await again.answers.getByText('Blue it is.').waitFor();
    gemini().reply('Blue.');
    await again.ask('Which one?');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.contents), /Blue it is\./);
  });

  journey('can be gone back to after another one', async () => {
    gemini().reply('Blue it is.');
    const { workbench, chat } = await goOn();
    await chat.ask('My favourite colour is blue');
    await workbench.runCommand('Gantry: New Session');
    await chat.answers.waitFor({ state: 'detached' });
    await chat.button('Sessions').click();
    await chat.sessions.getByRole('option').first().click();
    await chat.answers.getByText('Blue it is.').waitFor();
    gemini().reply('Blue.');
    await chat.ask('Which one?');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.contents), /Blue it is\./);
  });

  journey('still asks for an approval after the window was reloaded, and finishes the job with it', async () => {
    writesNote('It is written.');
    const { workbench, chat, note } = await goOn();
    await chat.send('Write a note');
    await approval(chat, 'Reject').waitFor();
    const again = await reloaded(workbench);
    await approval(again, 'Allow once').waitFor();
    await again.button('Stop').waitFor();
    assert.equal(existsSync(note), false);
    await workbench.screenshot('approval-after-reload');
    await approval(again, 'Allow once').click();
    await again.answers.getByText('It is written.').waitFor();
    await again.finished();
    assert.equal(await readFile(note, 'utf8'), 'milk');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.toolResults), /Wrote note\.txt/);
  });

  it('does nothing that was rejected, and tells the model', async () => {
    writesNote('As you wish.');
    const { chat, note } = await goOn();
    await chat.send('Write a note');
    await approval(chat, 'Reject').click();
    await chat.answers.getByText('As you wish.').waitFor();
    await chat.finished();
    assert.equal(existsSync(note), false);
    assert.match(JSON.stringify(gemini().requests.at(-1)?.toolResults), /user refused this call/);
  });

  it('can be resumed, renamed and deleted from the palette', async () => {
    gemini().reply('Green it is.');
    gemini().replyTitle('My favourite colour is green');
    const { workbench, chat } = await goOn();
    await chat.ask('My favourite colour is green');
    await workbench.runCommand('Gantry: New Session');
    await chat.answers.waitFor({ state: 'detached' });
    await workbench.runCommand('Gantry: Resume Session…');
    const row = (name: string): Locator => workbench.page.getByRole('option', { name: new RegExp(`^${name},`) });
    await row('My favourite colour is green').hover();
    await workbench.screenshot('resume-session');
    await row('My favourite colour is green').getByRole('button', { name: 'Rename' }).click();
    // Until then the field is still that of the list.
    await eventually('the old name', async () => (await workbench.quickInput.inputValue()).startsWith('My favourite'));
    await workbench.quickInput.fill('Colours');
    await workbench.page.keyboard.press('Enter');
    await row('Colours').click();
    await chat.answers.getByText('Green it is.').waitFor();
    await workbench.runCommand('Gantry: Resume Session…');
    await row('Colours').hover();
    await row('Colours').getByRole('button', { name: 'Delete' }).click();
    await chat.answers.waitFor({ state: 'detached' });
    await row('Colours').waitFor({ state: 'detached' });
    await workbench.page.keyboard.press('Escape');
    await workbench.notification('"Colours" was moved to the trash').getByRole('button', { name: 'Undo' }).click();
    await chat.answers.getByText('Green it is.').waitFor();
  });

  it('can be read while another window has it, and copied there', async () => {
    gemini().reply('Red it is.');
    gemini().replyTitle('Red things');
    const { chat, folder } = await bench.goOn();
    await chat.ask('My favourite colour is red');
    const second = await bench.open({ folder });
    const other = await Chat.open(second);
    await other.button('Sessions').click();
    await other.sessions.getByRole('option', { name: /Red things|favourite colour is red/ }).click();
    await other.answers.getByText('Red it is.').waitFor();
    await other.text(/open in a VS Code window/).waitFor();
    assert.equal(await other.input.isEnabled(), false);
    await second.screenshot('held-elsewhere');
    await other.button('Open a copy').click();
    await other.text(/open in a VS Code window/).waitFor({ state: 'detached' });
    gemini().reply('Red, as you said.');
    await other.ask('Which one?');
    await other.answers.getByText('Red, as you said.').waitFor();
    assert.equal(await chat.answers.count(), 1);
  });

  journey('takes what is said during a run into the next request', async () => {
    const door = gate();
    gemini().reply('Let me see. ', pause(door), call('read_file', { file_path: 'milk.md' }));
    gemini().reply('Milk.');
    const { chat } = await goOn();
    await chat.send('What should I buy?');
    await door.reached;
    await chat.input.fill('One word, please');
    await chat.input.press('Enter');
    await chat.text('Steering').waitFor();
    door.open();
    await chat.answers.getByText('Milk.').waitFor();
    await chat.finished();
    assert.match(JSON.stringify(gemini().requests[1]?.contents), /One word, please/);
    assert.equal(await chat.text('Steering').count(), 0);
  });

  journey('can be rewound together with the files, and the rewind undone', async () => {
    writesNote('It is written.');
    const { workbench, chat, note } = await goOn();
    await chat.send('Write a note');
    await approval(chat, 'Allow once').click();
    await chat.answers.getByText('It is written.').waitFor();
    await chat.finished();
    await chat.userMessages.hover();
    await chat.userMessages.getByRole('button', { name: 'Rewind to here' }).click();
    await chat.text('created after that point, will be deleted').waitFor();
    await workbench.screenshot('rewind');
    await chat.button('Rewind').click();
    await chat.answers.waitFor({ state: 'detached' });
    await eventually('the file to be gone', () => !existsSync(note));
    await eventually('the prompt in the input', async () => (await chat.input.inputValue()) === 'Write a note');
    assert.equal(await chat.userMessages.count(), 0);
    await chat.button('Undo rewind').click();
    await chat.answers.getByText('It is written.').waitFor();
    assert.equal(await readFile(note, 'utf8'), 'milk');
  });

  it('is rewound without touching what someone else wrote, unless the user says so', async () => {
    writesNote('It is written.');
    const { workbench, chat, note } = await goOn();
    await chat.send('Write a note');
    await approval(chat, 'Allow once').click();
    await chat.answers.getByText('It is written.').waitFor();
    await chat.finished();
    await writeFile(note, 'mine now');
    await workbench.runCommand('Gantry: Rewind…');
    await workbench.pick('Write a note');
    await workbench.pick('Conversation and files');
    await workbench.page.getByPlaceholder('These files were edited since.').waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.notification(/edited since: note\.txt/).waitFor();
    await chat.answers.waitFor({ state: 'detached' });
    assert.equal(await readFile(note, 'utf8'), 'mine now');
  });

  it('can go another way from an earlier message, in a session of its own', async () => {
    const opened = at(await bench.goOnElsewhere(MILK));
    const { chat } = opened;
    await rewoundToSecond(opened, 'New session from here');
    await eventually('the prompt in the input', async () => (await chat.input.inputValue()) === 'second');
    gemini().reply('Another two.');
    await chat.ask('third');
    assert.doesNotMatch(JSON.stringify(gemini().requests.at(-1)?.contents), /second/);
    await chat.button('Sessions').click();
    await chat.sessions.getByRole('option').nth(1).waitFor();
  });

  it('can be exported into a file', async () => {
    gemini().reply('The **answer**.');
    gemini().replyTitle('Tell me');
    const { workbench, chat, note } = await goOn();
    await chat.ask('Tell me');
    await workbench.runCommand('Gantry: Export Session…');
    await workbench.pick('Markdown');
    await eventually('the name of the file', async () =>
      (await workbench.quickInput.inputValue()).endsWith('tell-me.md'),
    );
    await workbench.page.keyboard.press('Enter');
    await workbench.notification('The session was exported to gantry-tell-me.md').waitFor();
    assert.match(await readFile(join(dirname(note), 'gantry-tell-me.md'), 'utf8'), /# Tell me.*The \*\*answer\*\*/s);
  });

  it('can be rewound from the palette, the conversation alone', async () => {
    const opened = await goOn();
    const { workbench, chat } = opened;
    await rewoundToSecond(opened, 'Conversation only');
    assert.equal(await chat.userMessages.count(), 1);
    await workbench.runCommand('Gantry: Undo Rewind');
    await chat.answers.getByText('Two.').waitFor();
  });
});

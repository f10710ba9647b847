import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { gate } from '../../support/gemini/gate.ts';
import { call, pause, stream, thought, usage } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';

describe('The chat panel', () => {
  const { gemini, bench } = useSharedWorkbench();

  const NOTES = { 'notes.md': '# Notes\n\nRemember the milk.\n' };

  journey('streams thinking, a tool and an answer, each as its own entry', async () => {
    const [thinking, answering] = [gate(), gate()];
    gemini().reply(thought('I should look.'), pause(thinking), call('read_file', { file_path: 'notes.md' }));
    gemini().reply(
      stream('It says to remember '),
      pause(answering),
      stream('the **milk**.'),
      usage({ promptTokenCount: 1200 }),
    );
    const { chat } = await bench.goOn(NOTES);
    await chat.send('What do the notes say?');
    await thinking.reached;
    await chat.locator('[role=group][aria-label=Thinking]').waitFor();
    await chat.button('Stop').waitFor();
    thinking.open();
    await answering.reached;
    await chat.answers.getByText('It says to remember').waitFor();
    await chat.tool('read_file').getByText('notes.md').waitFor();
    answering.open();
    await chat.finished();
    assert.equal((await chat.answers.locator('strong').textContent())?.trim(), 'milk');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.toolResults), /Remember the milk/);
    await chat.text(/1\.2k in/).waitFor();
  });

  it('sends with Enter, breaks the line with Shift+Enter', async () => {
    gemini().reply('Two lines.');
    const { chat } = await bench.goOn();
    await chat.input.click();
    await chat.input.pressSequentially('one');
    await chat.input.press('Shift+Enter');
    await chat.input.pressSequentially('two');
    await chat.input.press('Enter');
    await chat.answers.getByText('Two lines.').waitFor();
    assert.equal(gemini().requests.at(-1)?.lastUserText, 'one\ntwo');
    await chat.finished();
  });

  journey('stops in the middle, keeps what was said, and continues with the next message', async () => {
    const door = gate();
    gemini().reply('The first half', pause(door), ' and the second');
    const { chat } = await bench.goOn(NOTES);
    await chat.send('Talk');
    await chat.answers.getByText('The first half').waitFor();
    await chat.button('Stop').click();
    await chat.finished();
    await chat.conversation.getByText('Stopped').waitFor();
    assert.equal(await gemini().requests.at(-1)?.closed, 'disconnected');
    gemini().reply('I am here.');
    await chat.ask('Still there?');
    await chat.answers.getByText('I am here.').waitFor();
    assert.match(JSON.stringify(gemini().requests.at(-1)?.contents), /The first half/);
  });

  it('stops with Escape and with the command, and keeps what was typed meanwhile', async () => {
    const [first, second] = [gate(), gate()];
    const { workbench, chat } = await bench.goOn();
    gemini().reply('One', pause(first), ' two');
    await chat.send('Count');
    await chat.answers.getByText('One').waitFor();
    await chat.input.fill('typed meanwhile');
    await chat.input.press('Enter');
    await chat.input.press('Escape');
    await chat.finished();
    assert.equal(await chat.input.inputValue(), 'typed meanwhile');
    gemini().reply('Three', pause(second), ' four');
    await chat.input.press('Enter');
    await chat.answers.getByText('Three').waitFor();
    await workbench.runCommand('Gantry: Stop');
    await chat.finished();
    assert.equal(await chat.conversation.getByText('Stopped').count(), 2);
  });

  it('keeps the conversation and the draft while the view is hidden', async () => {
    gemini().reply('Noted.');
    const { workbench, chat } = await bench.goOn();
    await chat.ask('Remember this');
    await chat.input.fill('half a thou');
    await workbench.hideChat();
    const again = await Chat.open(workbench);
    await again.answers.getByText('Noted.').waitFor();
    assert.equal(await again.userMessages.count(), 1);
    assert.equal(await again.input.inputValue(), 'half a thou');
  });

  it('shows what arrived while the view was hidden', async () => {
    const door = gate();
    gemini().reply('Before. ', pause(door), 'After.');
    const { workbench, chat } = await bench.goOn();
    await chat.send('Go');
    await chat.answers.getByText('Before.').waitFor();
    await workbench.hideChat();
    door.open();
    const again = await Chat.open(workbench);
    await again.answers.getByText('Before. After.').waitFor();
    await again.finished();
  });

  it('starts over with New Session', async () => {
    gemini().reply('First.');
    gemini().reply('Second.');
    const { workbench, chat } = await bench.goOn();
    await chat.ask('one');
    await workbench.runCommand('Gantry: New Session');
    await chat.answers.waitFor({ state: 'detached' });
    await chat.ask('two');
    assert.equal(gemini().requests.at(-1)?.contents.length, 1);
  });

  it('opens the file of a step in the editor', async () => {
    gemini().reply(call('read_file', { file_path: 'notes.md' }));
    gemini().reply('Read. See [the notes](notes.md#L3).');
    const { workbench, chat } = await bench.goOn(NOTES);
    await chat.ask('Read');
    await chat.tool('read_file').getByText('notes.md').click();
    await workbench.page.getByRole('tab', { name: /notes\.md/ }).waitFor();
  });

  it('reads what is in the editor, saved or not', async () => {
    gemini().reply(call('read_file', { file_path: 'notes.md' }));
    gemini().reply('Read.');
    const { workbench, chat } = await bench.goOn({ 'notes.md': 'saved text' });
    await workbench.runCommand('Go to File...');
    await workbench.pick('notes.md');
    const editor = workbench.page.locator('.editor-instance .monaco-editor').first();
    await editor.getByText('saved text').waitFor();
    await editor.click();
    await workbench.page.keyboard.press('Control+A');
    await workbench.page.keyboard.type('unsaved text');
    await chat.ask('Read it');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.toolResults), /unsaved text/);
  });
});

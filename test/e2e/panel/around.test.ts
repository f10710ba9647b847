import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import { call } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

const CODE = '```ts src/tides.ts\nexport const low = 7;\n```';

describe('With a conversation', () => {
  const { gemini, bench, processes } = useSharedWorkbench();

  const extensionHosts = (): readonly number[] => processes.running('type=extensionHost');

  const lines = (workbench: Workbench): Locator => workbench.page.locator('.editor-instance .view-lines').first();
  /** Of an editor, where a space may be drawn as another character. */
  const shown = async (workbench: Workbench): Promise<string> =>
    (await lines(workbench).innerText()).replaceAll('\u00a0', ' ');

  /** Whether VS Code has this in what it keeps of the workspace. */
  const isStored = ({ page }: Workbench, text: string): Promise<boolean> =>
    page.evaluate(async (wanted) => {
      const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      for (const { name = '' } of await indexedDB.databases()) {
        const database = await done(indexedDB.open(name));
        for (const store of database.objectStoreNames) {
          const values = await done(database.transaction(store).objectStore(store).getAll());
          if (JSON.stringify(values).includes(wanted)) return true;
        }
        database.close();
      }
      return false;
    }, text);

  it('code of an answer goes to the cursor, into an editor of its own, and into a file as a change to decide', async () => {
    gemini().reply(`Like this:\n\n${CODE}\n\nSee [the file](src/tides.ts:2).`);
    const { workbench, chat, folder } = await bench.goOn({ 'src/tides.ts': 'const high = 12;\nexport {};\n' });
    await chat.ask('Write the low tide');
    const code = chat.answers.getByRole('figure');
    await workbench.openFile('tides.ts');
    await code.getByRole('button', { name: 'Insert at cursor' }).click();
    await eventually('the code at the cursor', async () => /low = 7;\s*const high/.test(await shown(workbench)));
    await lines(workbench).click();
    await workbench.page.keyboard.press('Control+z');
    await eventually('the file as it was', async () => !(await shown(workbench)).includes('low = 7'));
    const saved = (): Promise<string> => readFile(join(folder, 'src/tides.ts'), 'utf8');
    await code.getByRole('button', { name: 'Apply as diff' }).click();
    await chat.button('Reject All').waitFor();
    await workbench.screenshot('code-as-diff');
    assert.doesNotMatch(await saved(), /low/);
    await chat.button('Reject All').click();
    await chat.button('Reject All').waitFor({ state: 'detached' });
    await code.getByRole('button', { name: 'Open in editor' }).click();
    await workbench.page.getByRole('tab', { name: /Untitled/ }).waitFor();
    await chat.answers.getByRole('link', { name: 'the file' }).click();
    await workbench.page.getByRole('button', { name: /^Ln 2, Col 1/ }).waitFor();
  });

  journey('a file is mentioned with @, and a command runs with /', async () => {
    gemini().reply('Read.');
    const { workbench, chat } = await bench.goOn({ 'src/tides.ts': 'const high = 12;\n', 'docs/moon.md': 'full' });
    await chat.input.pressSequentially('@moon');
    await chat
      .locator('[role=listbox]')
      .getByRole('option', { name: /moon\.md/ })
      .waitFor();
    await workbench.screenshot('mention');
    await chat.input.press('Enter');
    await chat.input.pressSequentially('please');
    assert.equal(await chat.input.inputValue(), '@docs/moon.md please');
    await chat.input.press('Enter');
    await chat.answers.getByText('Read.').waitFor();
    await chat.finished();
    assert.match(JSON.stringify(gemini().requests[0]?.contents.at(-1)), /docs\/moon\.md[\s\S]*full/);
    await chat.input.pressSequentially('/stat');
    await chat.locator('[role=listbox]').getByRole('option').first().waitFor();
    await chat.input.press('Enter');
    await chat
      .text(/tokens/i)
      .first()
      .waitFor();
    assert.equal(await chat.input.inputValue(), '');
    assert.equal(gemini().requests.length, 1);
  });

  it('a draft outlives a reload', async () => {
    const { workbench, chat } = await bench.goOn();
    await chat.input.fill('half a thought');
    // A window that is reloaded like this has no time left to save anything.
    await eventually('the draft to be kept', () => isStored(workbench, 'half a thought'));
    await workbench.reload();
    const again = await Chat.open(workbench);
    await eventually('the draft', async () => (await again.input.inputValue()) === 'half a thought');
  });

  it('words are found with the keyboard, wherever they are', async () => {
    gemini().reply('The tide is **low**.');
    gemini().reply('A spring tide.');
    const { workbench, chat } = await bench.goOn();
    await chat.ask('When?');
    await chat.ask('And then?');
    await chat.input.press('Control+f');
    const field = chat.locator('gantry-find input');
    await eventually('the focus in the field', () => field.evaluate((element) => element.matches(':focus')));
    await field.pressSequentially('tide');
    await chat.text('1 of 2').waitFor();
    await field.press('Enter');
    await chat.text('2 of 2').waitFor();
    await workbench.screenshot('find');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('a message is changed where it stands, and what was written because of it goes back', async () => {
    gemini().reply(call('write_note', { path: 'note.txt', text: 'milk' }));
    gemini().reply('It is written.');
    const { chat, folder, workbench } = await bench.goOn();
    await chat.send('Write a note');
    await chat.tool('write_note').getByRole('button', { name: 'Allow once', exact: true }).click();
    await chat.answers.getByText('It is written.').waitFor();
    await chat.finished();
    await chat.userMessages.hover();
    await chat.userMessages.getByRole('button', { name: 'Edit and resend' }).click();
    const field = chat.locator('textarea[aria-label="Edit message"]');
    await field.fill('Write nothing');
    await chat.text('Restore 1 file').waitFor();
    await workbench.screenshot('edit-and-resend');
    gemini().reply('Nothing, then.');
    await field.press('Enter');
    await chat.answers.getByText('Nothing, then.').waitFor();
    await chat.finished();
    assert.equal(await chat.userMessages.count(), 1);
    assert.equal(existsSync(join(folder, 'note.txt')), false);
    assert.doesNotMatch(JSON.stringify(gemini().requests.at(-1)?.contents), /Write a note/);
  });

  it('the chat moves into an editor and back, with what was typed', async () => {
    gemini().reply('Low.');
    const { workbench, chat } = await bench.goOn();
    await chat.ask('The tide?');
    await chat.input.fill('half a thought');
    await workbench.runCommand('Gantry: Open Chat in Editor');
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    const inEditor = await Chat.open(workbench);
    await inEditor.answers.getByText('Low.').waitFor();
    await eventually('the draft', async () => (await inEditor.input.inputValue()) === 'half a thought');
    await workbench.screenshot('chat-in-editor');
    gemini().reply('High.');
    await inEditor.ask('And now?');
    await inEditor.answers.getByText('High.').waitFor();
    await inEditor.input.fill('another thought');
    await workbench.runCommand('View: Close Editor');
    const back = await Chat.open(workbench);
    await back.answers.getByText('High.').waitFor();
    await eventually('the draft', async () => (await back.input.inputValue()) === 'another thought');
  });

  it('a page is exported that any browser shows without a network', async () => {
    gemini().reply(`The **tide** is low.\n\n${CODE}`);
    gemini().replyTitle('Tides');
    const { workbench, chat, folder } = await bench.goOn();
    await chat.ask('The tide?');
    await workbench.runCommand('Gantry: Export Session…');
    await workbench.pick('HTML');
    await eventually('the name of the file', async () =>
      (await workbench.quickInput.inputValue()).endsWith('gantry-tides.html'),
    );
    await workbench.page.keyboard.press('Enter');
    await workbench.notification('The session was exported to gantry-tides.html').waitFor();
    const page = await workbench.page.context().newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const url = pathToFileURL(join(folder, 'gantry-tides.html')).href;
    await page.goto(url);
    await page.getByRole('article', { name: 'Gantry', exact: true }).getByText('tide', { exact: true }).waitFor();
    await page.getByText('export const low = 7;').waitFor();
    assert.deepEqual(
      asked.filter((address) => !address.startsWith('data:')),
      [url],
    );
    await page.close();
  });

  journey('the conversation continues after the extension host was killed', async () => {
    gemini().reply('Low.');
    const { chat } = await bench.goOn();
    await chat.ask('The tide?');
    await chat.input.fill('half a thought');
    const killed = extensionHosts();
    assert.ok(killed.length > 0);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await eventually('another extension host', () => extensionHosts().some((pid) => !killed.includes(pid)), {
      timeoutMs: 30_000,
    });
    await chat.answers.getByText('Low.').waitFor();
    await eventually('the draft', async () => (await chat.input.inputValue()) === 'half a thought');
    gemini().reply('High.');
    await chat.ask('And now?');
    await chat.answers.getByText('High.').waitFor();
  });
});

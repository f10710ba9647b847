import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { call } from '../../support/gemini/script.ts';
import { it } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';

/** Five in a row are a loop, and the model is told once before it is stopped. */
const UNTIL_STOPPED = 10;

describe('A model that goes in circles', () => {
  const { gemini, bench } = useSharedWorkbench();

  it('is stopped, and the user lets it try again or turns the detection off for the session', async () => {
    const circle = (times: number): void => {
      for (let at = 0; at < times; at++) gemini().reply(call('read_file', { file_path: 'package.json' }));
    };
    const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    const card = chat.alert.filter({ hasText: 'Gantry was repeating itself and was stopped' });
    const reads = chat.tool('read_file');

    circle(UNTIL_STOPPED);
    await chat.send('Which port is it?');
    await card.getByText(/^It was about to make the same calls again, after it was told .*: read_file/).waitFor();
    await chat.text('Gantry was repeating itself and was told to try something else').first().waitFor();
    await chat.finished();
    assert.equal(await reads.count(), UNTIL_STOPPED);
    await workbench.screenshot('loop-dark-300');

    circle(UNTIL_STOPPED);
    await card.getByRole('button', { name: 'Keep going', exact: true }).click();
    await reads.nth(2 * UNTIL_STOPPED - 1).waitFor();
    await card.waitFor();
    await chat.finished();
    assert.equal(gemini().requests.length, 2 * UNTIL_STOPPED);

    circle(UNTIL_STOPPED);
    gemini().reply('It is 8080.');
    await card.getByRole('button', { name: 'Turn off loop detection', exact: true }).click();
    await chat.answers.getByText('It is 8080.').waitFor();
    await chat.finished();
    assert.equal(await card.count(), 0);
    // At each end, which together are all of it: what is far from where the reader is, is not drawn.
    assert.equal(await chat.userMessages.count(), 0);
    await chat.conversation.focus();
    await workbench.page.keyboard.press('Home');
    await chat.userMessages.first().waitFor();
    assert.equal(await chat.userMessages.count(), 1);
    gemini().assertDone();
  });
});

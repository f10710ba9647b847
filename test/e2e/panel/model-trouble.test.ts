import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { apiError, quotaExceeded } from '../../support/gemini/faults.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { it } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';

const FLASH = 'gemini-3.8-flash';
const PRO = 'gemini-3.1-pro-preview';
const FULL = apiError(503, { message: 'No capacity.', reason: 'MODEL_CAPACITY_EXHAUSTED', retryDelay: '1s' });

describe('When the model does not answer, the panel', () => {
  const gemini = useGemini();
  const bench = useWorkbench(() => ({
    trust: 'all',
    env: { GOOGLE_GEMINI_BASE_URL: gemini().url, GEMINI_API_KEY: 'test-key-x9Qk' },
  }));

  it('counts down to the next attempt, and Stop ends the wait', async () => {
    const chat = await Chat.open(await bench.open({ folder: await bench.folder() }));
    gemini().always(quotaExceeded({ retryDelay: '40s' }));
    await chat.send('hello');
    const alert = chat.alert.last();
    await alert.getByText(`${FLASH} is over its limit for this minute`).waitFor();
    await alert.getByText(/^Trying again in \d\d s$/).waitFor();
    await alert.getByText('attempt 2 of 10').waitFor();
    await chat.button('Stop').click();
    await chat.finished();
    await chat.text('Stopped').first().waitFor();
    assert.equal(await alert.count(), 0, 'nobody waits any more');
    assert.equal(gemini().requests.length, 1);
  });

  it('asks what to do when there is no capacity, and continues with the other model', async () => {
    const workbench = await bench.open({ folder: await bench.folder() });
    const chat = await Chat.open(workbench);
    await workbench.setSideBarWidth(300);
    for (const _ of [1, 2, 3]) gemini().reply(FULL);
    gemini().reply('Hello from the other one.');
    await chat.send('hello');
    const card = chat.conversation.getByRole('group', { name: `${FLASH} is overloaded` });
    for (const name of ['Retry once', 'Stop here']) await card.getByRole('button', { name, exact: true }).waitFor();
    await workbench.screenshot('model-choice-dark-300');
    await chat.input.focus();
    await workbench.runCommand('Gantry: Focus Pending Approval');
    await eventually('the focus on the card', async () => (await chat.focusedName()) === `${FLASH} is overloaded`);
    await workbench.page.keyboard.press('Tab');
    assert.equal(await chat.focusedName(), 'Retry once');
    await card.getByRole('button', { name: `Always use ${PRO}`, exact: true }).click();
    await chat.answers.getByText('Hello from the other one.').waitFor();
    await chat.text(`Switched from ${FLASH} to ${PRO}: ${FLASH} is overloaded`).first().waitFor();
    await chat.button(`Model: ${PRO}`).waitFor();
    await chat.finished();
    assert.equal(await card.count(), 0);
    assert.deepEqual(
      gemini().requests.map(({ model }) => model),
      [FLASH, FLASH, FLASH, PRO],
    );
  });
});

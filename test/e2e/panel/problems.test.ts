import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { useWorkbench } from '../../support/fixture.ts';
import { cut, htmlPage, malformedFrame, unauthorized } from '../../support/gemini/faults.ts';
import type { Piece } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';

interface Fault {
  readonly name: string;
  readonly reply: Piece[];
  readonly says: RegExp;
  readonly actions: readonly string[];
}

const REFUSED_KEY: Fault = {
  name: 'a refused key',
  reply: [unauthorized()],
  says: /key/i,
  actions: ['Set API key', 'Retry'],
};

const FAULTS: readonly Fault[] = [
  {
    name: 'an HTML page',
    reply: [htmlPage()],
    says: /not a Gemini API/,
    actions: ['Retry', 'Open settings', 'Show log'],
  },
  {
    name: 'a stream that is cut',
    reply: ['Half', cut()],
    says: /broke in the middle/,
    actions: ['Retry', 'Switch model'],
  },
  {
    name: 'a malformed frame',
    reply: ['Half', malformedFrame()],
    says: /could not be read/,
    actions: ['Retry', 'Show log'],
  },
];

describe('When something goes wrong, the panel', () => {
  const { gemini, bench } = useSharedWorkbench();

  async function meets(fault: Fault, chat: Chat, index = 0): Promise<void> {
    gemini().reply(...fault.reply);
    await chat.ask(`question ${index}`);
    const alert = chat.alert.last();
    await alert.getByText(fault.says).first().waitFor();
    assert.match((await alert.textContent()) ?? '', /kept/, fault.name);
    for (const name of fault.actions) await alert.getByRole('button', { name, exact: true }).waitFor();
    gemini().reply(`fine ${index}`);
    await alert.getByRole('button', { name: 'Retry', exact: true }).click();
    await chat.answers.getByText(`fine ${index}`).waitFor();
    await chat.finished();
    assert.equal(await chat.userMessages.count(), index + 1, 'the message is not said twice');
  }

  journey('says that the key was refused, what was kept and what can be done, and Retry continues', async () => {
    const { chat } = await bench.goOn();
    await meets(REFUSED_KEY, chat);
  });

  it('says what happened, what was kept and what can be done, and Retry continues', async () => {
    // What is worth another try is tried again otherwise, which has tests of its own.
    const once = { 'gantry.model.maxAttempts': 1 };
    const chat = await Chat.open(await bench.open({ folder: await bench.folder() }, once));
    for (const [index, fault] of FAULTS.entries()) await meets(fault, chat, index);
  });

  it('refuses a 5 MB message, gives the text back, and takes the next one', async () => {
    const { chat } = await bench.goOn();
    const huge = 'word '.repeat(1_000_000);
    await chat.send(huge);
    await chat
      .text(/too long \(4\.8 MB\)/)
      .first()
      .waitFor();
    await chat.text(/5M characters/).waitFor();
    await chat.button('Remove long text').click();
    gemini().reply('Short is fine.');
    await chat.ask('short');
    await chat.answers.getByText('Short is fine.').waitFor();
  });

  it('ignores messages of the wrong shape, in both directions', async () => {
    const { workbench, chat } = await bench.goOn();
    const frame = await workbench.chatFrame();
    // What a broken or hostile page could do: the listener of the panel, and the host, see these as they are.
    await frame.evaluate(() => {
      for (const message of [null, 7, 'x', [], { type: 'changes' }, { type: 'state', state: { running: 'yes' } }]) {
        window.postMessage(message, '*');
      }
    });
    gemini().reply('Still fine.');
    await chat.ask('hello');
    await chat.answers.getByText('Still fine.').waitFor();
    assert.match(await workbench.server.extensionLog(), /wrong shape/);
  });
});

describe('When the endpoint is not there, the panel', () => {
  const bench = useWorkbench({
    trust: 'all',
    settings: { 'gantry.model.baseUrl': 'http://127.0.0.1:1', 'gantry.model.maxAttempts': 1 },
  });

  it('names the address from the settings', async () => {
    const chat = await Chat.open(await bench.open({ folder: await bench.folder() }));
    await chat.ask('hello');
    await chat.alert.getByText(/127\.0\.0\.1:1 cannot be reached/).waitFor();
    await chat.alert.getByRole('button', { name: 'Open settings' }).waitFor();
  });
});

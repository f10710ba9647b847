import assert from 'node:assert/strict';
import { said } from '../support/panel/entries.ts';
import { usePanel } from '../support/panel/use-panel.ts';

describe('a view that breaks', () => {
  const bench = usePanel();

  const BREAKS: Readonly<Record<string, () => void>> = {
    'a part that cannot be drawn': () => {
      const conversation = document.querySelector('gantry-conversation');
      if (!conversation) throw new Error('There is no conversation.');
      conversation.render = () => {
        throw new Error('broken on purpose');
      };
      conversation.requestUpdate();
    },
    'an error in a timer': () => {
      setTimeout(() => {
        throw new Error('broken on purpose');
      });
    },
    'a promise that nobody waits for': () => {
      void Promise.reject(new Error('broken on purpose'));
    },
  };

  for (const [what, breakIt] of Object.entries(BREAKS)) {
    it(`offers "Reload view" after ${what}, and is whole again`, async () => {
      const panel = await bench.open({ entries: [said('Still here')] });
      await panel.message.fill('a draft');
      await panel.page.evaluate(breakIt);
      const alert = panel.page.getByRole('alert').filter({ hasText: 'This view stopped working' });
      await alert.waitFor();
      assert.match((await panel.next('viewError')).message, /broken on purpose/);
      await panel.screenshot('view-failure');
      await alert.getByRole('button', { name: 'Reload view' }).click();
      await panel.next('ready');
      await panel.conversation.getByText('Still here').waitFor();
      assert.equal(await panel.message.inputValue(), 'a draft');
      assert.equal(await alert.count(), 0);
      await panel.message.press('Enter');
      assert.equal((await panel.next('send')).text, 'a draft');
    });
  }

  it('logs an error that repeats, but not without end', async () => {
    const panel = await bench.open();
    await panel.page.evaluate(() => {
      for (let n = 0; n < 200; n++) void Promise.reject(new Error('x'.repeat(10_000)));
    });
    await panel.page.getByRole('alert').waitFor();
    await panel.post({ type: 'ping', count: 1 });
    await panel.next('pong');
    const errors = panel.received.filter(({ type }) => type === 'viewError');
    assert.ok(errors.length > 0 && errors.length <= 20, String(errors.length));
  });

  it('answers when it is asked whether it is there', async () => {
    const panel = await bench.open();
    await panel.post({ type: 'ping', count: 7 });
    assert.equal((await panel.next('pong')).count, 7);
  });
});

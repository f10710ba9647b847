import assert from 'node:assert/strict';
import { layoutFaults } from '../support/panel/layout.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

describe('an empty conversation', () => {
  const bench = usePanel();

  for (const theme of SHOWN_THEMES) {
    it(`says what the input can do, and where the rest is told, in ${theme}`, async () => {
      const panel = await bench.open({ theme });
      const empty = panel.page.locator('.empty');
      for (const words of ['adds files, symbols, problems', 'runs commands, such as /rewind', 'runs in your terminal'])
        await empty.getByText(words).waitFor();
      await panel.screenshot(`empty-${theme}`);
      await empty.getByRole('button', { name: 'Settings', exact: true }).click();
      assert.deepEqual(await panel.next('openSettings'), { type: 'openSettings' });
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('offers a key where one is missing, and other ways', async () => {
    const panel = await bench.open({ state: { offline: true, model: 'offline guide' } });
    await panel.page.getByRole('button', { name: 'Set API key' }).click();
    await panel.next('setApiKey');
    await panel.page.getByRole('button', { name: 'Other ways to connect' }).click();
    assert.equal((await panel.next('openSettings')).setting, 'auth.method');
    await panel.screenshot('empty-offline');
  });

  it('offers the setting, and no key, where the settings chose the guide', async () => {
    const panel = await bench.open({ state: { offline: true, offlineBySetting: true, model: 'offline guide' } });
    await panel.page.getByText('Your settings choose the built-in guide').waitFor();
    assert.equal(await panel.page.getByRole('button', { name: 'Set API key' }).count(), 0);
    await panel.page.getByRole('button', { name: 'Choose how to connect' }).click();
    assert.equal((await panel.next('openSettings')).setting, 'auth.method');
    await panel.screenshot('empty-by-setting');
  });

  for (const theme of SHOWN_THEMES) {
    for (const offline of [false, true]) {
      it(`promises only to read in Restricted Mode${offline ? ', with the guide' : ''}, in ${theme}`, async () => {
        const state = { readOnly: true, offline, model: offline ? 'offline guide' : 'gemini-2.5-pro' };
        const panel = await bench.open({ theme, width: 300, height: 760, state });
        const { page } = panel;
        await page.locator('.empty').getByText('Gantry only reads: it changes no file').waitFor();
        assert.doesNotMatch(await page.locator('body').innerText(), /asks|your terminal|Show me an edit|default/i);
        await panel.screenshot(`empty-restricted${offline ? '-guide' : ''}-${theme}`);
        for (const name of ['Manage Workspace Trust', 'Approval mode: read-only']) {
          await page.getByRole('button', { name, exact: true }).click();
          await panel.next('manageTrust');
        }
        assert.deepEqual(await page.evaluate(layoutFaults), []);
      });
    }
  }
});

import assert from 'node:assert/strict';
import { answered, said, thought } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const ENTRIES = [
  said('Why is it slow?'),
  thought('**Reading the clock**\n\nThe timer waits for the tide.', { id: 'first' }),
  answered('Because of the timer.'),
  said('And now?'),
  thought('Nothing moved.', { id: 'second' }),
  answered('It is fast.'),
];

describe('what the model thinks', () => {
  const bench = usePanel();
  const groups = (panel: PanelPage) => panel.page.getByRole('group', { name: 'Thinking' });
  const words = (panel: PanelPage) => panel.page.getByText('The timer waits for the tide.');

  for (const theme of SHOWN_THEMES) {
    it(`is one line that opens, in ${theme}`, async () => {
      const panel = await bench.open({ theme, entries: ENTRIES });
      assert.equal(await words(panel).count(), 0);
      await groups(panel).first().getByRole('button').click();
      await words(panel).waitFor();
      await panel.screenshot(`thinking-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('is open from the beginning where the user wants it, and closes one by one', async () => {
    const panel = await bench.open({ entries: ENTRIES, state: { thinking: 'expanded' } });
    await words(panel).waitFor();
    await panel.page.getByText('Nothing moved.').waitFor();
    await groups(panel)
      .first()
      .getByRole('button', { name: /Thought for/ })
      .click();
    await words(panel).waitFor({ state: 'detached' });
    await panel.page.getByText('Nothing moved.').waitFor();
    await panel.setState({ thinking: 'collapsed' });
    await panel.page.getByText('Nothing moved.').waitFor({ state: 'detached' });
    assert.equal(await words(panel).count(), 0);
  });

  it('is hidden at once, leaves no room behind, and comes back', async () => {
    const panel = await bench.open({ entries: ENTRIES });
    await groups(panel).first().waitFor();
    await panel.setState({ thinking: 'hidden' });
    await groups(panel).first().waitFor({ state: 'detached' });
    const heights = await panel.page
      .locator('gantry-entry[data-kind=thinking]')
      .evaluateAll((entries) => entries.map((entry) => (entry as HTMLElement).offsetHeight));
    assert.deepEqual(heights, [0, 0]);
    await panel.put(thought('**More**', { id: 'third', running: true, seconds: 0 }));
    assert.equal(await groups(panel).count(), 0);
    await panel.setState({ thinking: 'collapsed' });
    await groups(panel).nth(2).waitFor();
  });

  it('is hidden, and opened for good, from one that is open', async () => {
    const panel = await bench.open({ entries: ENTRIES });
    await groups(panel).first().getByRole('button').click();
    await panel.page.getByRole('button', { name: 'Hide thinking' }).click();
    assert.deepEqual(await panel.next('setThinking'), { type: 'setThinking', way: 'hidden' });
    await panel.page.getByRole('button', { name: 'Always expand' }).click();
    assert.deepEqual(await panel.next('setThinking'), { type: 'setThinking', way: 'expanded' });
    await panel.setState({ thinking: 'expanded' });
    await panel.page.getByRole('button', { name: 'Always collapse' }).first().click();
    assert.deepEqual(await panel.next('setThinking'), { type: 'setThinking', way: 'collapsed' });
  });

  it('is found also while it is hidden', async () => {
    const panel = await bench.open({ entries: ENTRIES, state: { thinking: 'hidden' } });
    await panel.page.getByText('Because of the timer.').waitFor();
    await panel.page.keyboard.press('Control+F');
    await panel.page.getByRole('textbox', { name: 'Find in conversation' }).fill('tide');
    await words(panel).waitFor();
  });
});

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { violations } from '../support/panel/accessibility.ts';
import { answered, said } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

describe('several sessions at once', () => {
  const bench = usePanel();
  const button = (panel: PanelPage): Locator => panel.page.getByRole('button', { name: 'Sessions', exact: true });
  const badge = (panel: PanelPage): Locator => panel.page.locator('.sessions-button .badge');
  const described = (panel: PanelPage): Promise<string> =>
    button(panel).evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join(' ')
        .trim(),
    );

  for (const theme of SHOWN_THEMES) {
    it(`count those that need you on the Sessions button, in ${theme}`, async () => {
      const elsewhere = { needYou: 2, running: 1, answered: 1 };
      const panel = await bench.open({ theme, entries: [said('Hello')], state: { elsewhere } });
      await badge(panel).waitFor();
      assert.equal(await badge(panel).textContent(), '2');
      assert.equal(
        await described(panel),
        '2 other sessions need you. Another session has answered. Another session is running.',
      );
      assert.deepEqual(await violations(panel.page), []);
      await panel.screenshot(`sessions-badge-${theme}`);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('have a dot for new answers, nothing for what merely runs, and lose it when that was seen', async () => {
    const panel = await bench.open({
      entries: [said('Hello')],
      state: { elsewhere: { needYou: 0, running: 1, answered: 0 } },
    });
    await eventually('the words', async () => (await described(panel)) === 'Another session is running.');
    assert.equal(await badge(panel).count(), 0);
    await panel.setState({ elsewhere: { needYou: 0, running: 0, answered: 1 } });
    await badge(panel).waitFor();
    assert.deepEqual([await badge(panel).getAttribute('class'), await badge(panel).textContent()], ['badge dot', '']);
    await panel.screenshot('sessions-dot');
    await panel.setState({ elsewhere: undefined });
    await badge(panel).waitFor({ state: 'detached' });
    assert.equal(await described(panel), '');
  });

  for (const [name, wheel] of [
    ['near the end', -900],
    ['far from it', -60_000],
  ] as const) {
    it(`are each read on where they were left, ${name}`, async () => {
      const long = longConversation(400);
      const panel = await bench.open({ entries: long });
      await panel.conversation.getByText('so answer 399 ends here').waitFor();
      await panel.post({ type: 'inputOf', session: 'long', replaced: false });
      await panel.conversation.hover();
      await panel.page.mouse.wheel(0, wheel);
      await eventually('a place away from the end', async () => (await seen(panel)).distance > 500);
      await settled(panel);
      const left = await seen(panel);
      await panel.post({ type: 'inputOf', session: 'short', replaced: true });
      await panel.show([said('Another'), answered('Short.')]);
      await panel.conversation.getByText('Short.').waitFor();
      await panel.post({ type: 'inputOf', session: 'long', replaced: true });
      await panel.show([...long, answered('It went on without you.')]);
      await eventually('the same place', async () => {
        const back = await seen(panel);
        return back.id === left.id && Math.abs(back.top - left.top) <= 2;
      });
    });
  }

  it('are shown at their end when that is where they were left', async () => {
    const panel = await bench.open({ entries: longConversation(100) });
    await panel.conversation.getByText('so answer 99 ends here').waitFor();
    await panel.post({ type: 'inputOf', session: 'long', replaced: false });
    await panel.post({ type: 'inputOf', session: 'short', replaced: true });
    await panel.show([said('Another')]);
    await panel.post({ type: 'inputOf', session: 'long', replaced: true });
    await panel.show([...longConversation(100), answered('It went on without you.')]);
    await panel.conversation.getByText('It went on without you.').waitFor();
    await eventually('the end', async () => (await seen(panel)).distance <= 1);
  });
});

/** The first entry that is seen, where it begins, and how far the end is. */
async function seen(panel: PanelPage): Promise<{ id: string; top: number; distance: number }> {
  return panel.conversation.evaluate((log) => {
    const edge = log.getBoundingClientRect().top;
    const distance = log.scrollHeight - log.clientHeight - log.scrollTop;
    for (const entry of log.querySelectorAll('gantry-entry')) {
      const { top, bottom } = entry.getBoundingClientRect();
      if (bottom > edge + 1) return { id: entry.cell.entry.id, top: top - edge, distance };
    }
    return { id: '', top: 0, distance };
  });
}

/** What comes into view is drawn, and nothing moves any more. */
async function settled(panel: PanelPage): Promise<void> {
  let before = '';
  await eventually('a still page', async () => {
    const now = JSON.stringify(await seen(panel));
    const isStill = now === before && !now.includes('"id":""');
    before = now;
    return isStill;
  });
}

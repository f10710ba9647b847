import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ContextShares } from '../../extension/protocol/agent/context-shares.ts';
import { violations } from '../support/panel/accessibility.ts';
import { said } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const SHARES: ContextShares = [
  { kind: 'instructions', tokens: 1_000 },
  { kind: 'tools', tokens: 18_000 },
  { kind: 'summary', tokens: 6_000 },
  { kind: 'attachments', tokens: 62_000 },
  { kind: 'messages', tokens: 9_000 },
  { kind: 'answers', tokens: 112_000 },
  { kind: 'results', tokens: 204_000 },
];
const USED = SHARES.reduce((sum, { tokens }) => sum + tokens, 0);

describe('the context meter', () => {
  const bench = usePanel();

  const opened = async (options: Parameters<typeof bench.open>[0] = {}): Promise<PanelPage> => {
    const context = { used: USED, window: 1_000_000, masked: 3, leftOut: 0 };
    const state = { context, spent: { input: 1_900_000, output: 48_000, cost: 2.31 } };
    const panel = await bench.open({ entries: [said('Hello')], state, ...options });
    await button(panel).click();
    await panel.next('contextShares');
    return panel;
  };

  const button = (panel: PanelPage): Locator => panel.page.getByRole('button', { name: /of context, show breakdown/ });
  const dialog = (panel: PanelPage): Locator => panel.page.getByRole('dialog', { name: 'Context' });
  const rows = (panel: PanelPage): Locator => dialog(panel).getByRole('listitem');
  const words = async (panel: PanelPage): Promise<string[]> =>
    (await rows(panel).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());

  for (const theme of SHOWN_THEMES) {
    it(`says what fills the window, by kind, in ${theme}`, async () => {
      const panel = await opened({ theme });
      await panel.post({ type: 'contextShares', shares: SHARES });
      await rows(panel).first().waitFor();
      assert.deepEqual(await words(panel), [
        'Instructions 1k',
        'Tools 18k',
        'Summary of earlier turns 6k',
        'Files and attachments 62k',
        'Your messages 9k',
        'Answers 112k',
        'Tool results 204k',
        'Free 588k',
      ]);
      assert.match(await dialog(panel).innerText(), /Old tool outputs kept in files\s+3/);
      const overflow = await panel.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0);
      assert.deepEqual(await violations(panel.page), []);
      await panel.screenshot(`context-${theme}`);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('draws each kind as wide as its share of the window', async () => {
    const panel = await opened();
    await panel.post({ type: 'contextShares', shares: SHARES });
    await rows(panel).first().waitFor();
    const bar = dialog(panel).locator('.context-bar');
    const width = await bar.evaluate((element) => element.getBoundingClientRect().width);
    const parts = await bar.locator('.share').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    for (const [index, { tokens }] of SHARES.entries()) {
      assert.ok(
        Math.abs((parts[index] ?? 0) - (width * tokens) / 1_000_000) < 1,
        `${index}: ${parts[index]} of ${width}`,
      );
    }
  });

  it('is asked for only while somebody looks at it, and again when more is used', async () => {
    const panel = await opened();
    assert.match(await dialog(panel).innerText(), /Used\s+412k/, 'what is known at once');
    await panel.post({ type: 'contextShares', shares: SHARES });
    await rows(panel).first().waitFor();
    await panel.setState({ context: { used: USED + 5_000, window: 1_000_000, masked: 0, leftOut: 0 } });
    await panel.next('contextShares');
    await panel.page.keyboard.press('Escape');
    await dialog(panel).waitFor({ state: 'detached' });
    const asked = panel.received.filter(({ type }) => type === 'contextShares').length;
    await panel.setState({ context: { used: USED + 9_000, window: 1_000_000, masked: 0, leftOut: 0 } });
    await panel.page.getByRole('button', { name: /^42% of context/ }).waitFor();
    assert.equal(panel.received.filter(({ type }) => type === 'contextShares').length, asked);
  });

  it('opens what the model gets, by keyboard too', async () => {
    const panel = await opened();
    await dialog(panel).getByRole('button', { name: 'Show what the model gets' }).focus();
    await panel.page.keyboard.press('Enter');
    await panel.next('showRequest');
    await dialog(panel).waitFor({ state: 'detached' });
    assert.deepEqual(panel.complaints, []);
  });

  it('forgets them when another session is shown', async () => {
    const panel = await opened();
    await panel.post({ type: 'contextShares', shares: SHARES });
    await rows(panel).first().waitFor();
    await panel.show([said('Another')]);
    await rows(panel).first().waitFor({ state: 'detached' });
  });
});

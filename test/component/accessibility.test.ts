import assert from 'node:assert/strict';
import { violations } from '../support/panel/accessibility.ts';
import { APPROVALS, RICH } from '../support/panel/rich-conversation.ts';
import { SCENES, type Scene } from '../support/panel/scenes.ts';
import { THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const TALL = 4000;

/** The screens of the panel, and on two more everything that can be said and asked. */
const PAGES: Readonly<Record<string, Scene>> = {
  ...SCENES,
  'something of every kind': async (bench, options) => {
    const panel = await bench.open({ ...options, height: TALL, entries: RICH });
    await panel.conversation.getByText('A quote').waitFor();
    const folded = panel.conversation.locator('button[aria-expanded=false]');
    while ((await folded.count()) > 0) await folded.first().click();
    return panel;
  },
  'every question': async (bench, options) => {
    const panel = await bench.open({
      ...options,
      height: TALL,
      entries: APPROVALS,
      state: { running: true, startedAt: Date.now(), approvalMode: 'yolo' },
    });
    await panel.page.getByRole('button', { name: 'Allow once' }).first().waitFor();
    return panel;
  },
};

describe('everybody can use', () => {
  const bench = usePanel();

  for (const [what, open] of Object.entries(PAGES)) {
    for (const theme of THEMES) {
      it(`${what}, in ${theme} (WCAG 2.2 AA)`, async function () {
        this.timeout(60_000);
        const panel = await open(bench, { theme });
        const found = await violations(panel.page);
        assert.equal(found.length, 0, found.join('\n'));
      });
    }
  }
});

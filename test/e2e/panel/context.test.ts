import assert from 'node:assert/strict';
import { describe } from 'mocha';
import { Chat } from '../../support/chat.ts';
import { usage } from '../../support/gemini/script.ts';
import { it } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { ColorTheme } from '../../support/workbench.ts';

/** Each theme is picked as a user does, which takes its time. */
const SLOW = 180_000;

/** The others are looked at with the conversation. */
const THEMES: readonly ColorTheme[] = ['light', 'hc-dark'];

describe('The context meter', () => {
  const { gemini, bench } = useSharedWorkbench();

  it('says how much of the window is used, also after a reload, and warns before it is full', async function () {
    this.timeout(SLOW);
    gemini().reply('Hello', usage({ promptTokenCount: 188_700, candidatesTokenCount: 50 }));
    gemini().reply('Hello again', usage({ promptTokenCount: 800_000, candidatesTokenCount: 50 }));
    const workbench = await bench.open({ folder: await bench.sampleWorkspace() });
    let chat = await Chat.open(workbench);
    const meter = (): ReturnType<Chat['locator']> => chat.locator('[role=meter][aria-label="Context used"]');
    await workbench.setSideBarWidth(300);
    assert.equal(await meter().getAttribute('aria-valuenow'), '0');
    await chat.ask('Hi');
    await chat.button('18% of context, show breakdown').waitFor();
    await workbench.reload();
    chat = await Chat.open(workbench);
    await chat.button('18% of context, show breakdown').waitFor();
    assert.equal(await meter().getAttribute('aria-valuetext'), '18%, 189k of 1M tokens');
    await chat.ask('And more');
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      // Picking a theme takes the focus, and with it the breakdown is gone.
      await chat.button('76% of context, show breakdown').click();
      const breakdown = chat.locator('[role=dialog][aria-label="Context"]');
      await breakdown.getByText('800k of 1M tokens, nearly full').waitFor();
      const frame = await workbench.chatFrame();
      const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide in ${theme}`);
      await workbench.screenshot(`context-${theme}-300`);
    }
    await chat.button('76% of context, show breakdown').focus();
    await workbench.page.keyboard.press('Escape');
    await chat.locator('[role=dialog]').waitFor({ state: 'detached' });
    assert.equal(await chat.focusedName(), '76% of context, show breakdown');
  });
});

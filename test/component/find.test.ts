import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { answered, said, thought, tool } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

const field = (panel: PanelPage): Locator => panel.page.getByRole('textbox', { name: 'Find in conversation' });

const count = async (panel: PanelPage, expected: string): Promise<void> =>
  panel.page.getByRole('search').getByText(expected, { exact: true }).waitFor();

/** The words that are marked, and those of them that are the match of this moment. */
const marked = (panel: PanelPage): Promise<{ all: string[]; current: string[] }> =>
  panel.page.evaluate(() => {
    const words = (name: string): string[] =>
      [...(CSS.highlights.get(name) ?? [])].map((range) => (range as Range).toString());
    return { all: words('gantry-find'), current: words('gantry-find-current') };
  });

const isSeen = (panel: PanelPage): Promise<boolean> =>
  panel.page.evaluate(() => {
    const [range] = CSS.highlights.get('gantry-find-current') ?? [];
    const log = document.querySelector('.log')?.getBoundingClientRect();
    if (!(range instanceof Range) || !log) return false;
    const { top, bottom, height } = range.getBoundingClientRect();
    return height > 0 && top >= log.top && bottom <= log.bottom;
  });

describe('finding words in the conversation', () => {
  const bench = usePanel();
  const entries = [
    said('Where is the Jitter?'),
    thought('The jitter may be in retry.ts.'),
    tool('read_file', { subject: 'src/jitter.ts', summary: '1–20', detail: 'const jitter = 3;' }),
    answered('Without **jit**ter the waits add up. See `jitter()`.'),
  ];

  for (const theme of SHOWN_THEMES) {
    it(`counts, marks and continues, in ${theme}`, async () => {
      const panel = await bench.open({ theme, entries });
      await panel.message.focus();
      await panel.page.keyboard.press('Control+f');
      await field(panel).pressSequentially('jitter');
      await count(panel, '1 of 6');
      await eventually('marks', async () => (await marked(panel)).all.length >= 4);
      assert.deepEqual((await marked(panel)).current, ['Jitter']);
      await field(panel).press('Shift+Enter');
      await count(panel, '6 of 6');
      await field(panel).press('Shift+Enter');
      await count(panel, '5 of 6');
      // The letters of one word in two elements.
      await eventually('the mark', async () => (await marked(panel)).current[0] === 'jitter');
      await panel.screenshot(`find-${theme}`);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('opens what is folded away to show a match in it', async () => {
    const panel = await bench.open({ entries });
    await panel.page.getByRole('button', { name: 'Find in conversation' }).click();
    await field(panel).pressSequentially('may be in');
    await count(panel, '1 of 1');
    await eventually(
      'the match',
      async () => (await isSeen(panel)) && (await marked(panel)).current[0] === 'may be in',
    );
  });

  it('opens the rest of what a tool found to show a match in it', async () => {
    const detail = Array.from({ length: 40 }, (_, index) => `src/part-${index}.ts`).join('\n');
    const panel = await bench.open({ entries: [tool('glob', { subject: 'src/*.ts', summary: '40 files', detail })] });
    await panel.page.keyboard.press('Control+f');
    await field(panel).pressSequentially('part-38');
    await count(panel, '1 of 1');
    await eventually('the match', async () => (await isSeen(panel)) && (await marked(panel)).current[0] === 'part-38');
  });

  it('finds what is far away in 10,000 entries, and goes round', async () => {
    const panel = await bench.open({ entries: longConversation(10_000) });
    await panel.conversation.getByText('so answer 9999 ends here').waitFor();
    await panel.page.keyboard.press('Control+f');
    await field(panel).fill('Question 42');
    await count(panel, '1 of 11');
    for (const expected of ['2 of 11', '3 of 11']) {
      await field(panel).press('Enter');
      await count(panel, expected);
      await eventually('the match to be seen', () => isSeen(panel));
    }
    await field(panel).fill('answer 9999 ends');
    await count(panel, '1 of 1');
    await eventually('the match to be seen', () => isSeen(panel));
  });

  it('leaves the focus where it came from, and no marks', async () => {
    const panel = await bench.open({ entries });
    await panel.conversation.focus();
    await panel.page.keyboard.press('Control+f');
    await field(panel).pressSequentially('jitter');
    await count(panel, '1 of 6');
    await field(panel).press('Escape');
    assert.equal(await panel.page.getByRole('search').count(), 0);
    assert.deepEqual(await marked(panel), { all: [], current: [] });
    assert.equal(await panel.conversation.evaluate((log) => log === document.activeElement), true);
  });

  it('says when there is nothing, and counts anew when something comes', async () => {
    const panel = await bench.open({ entries });
    await panel.post({ type: 'openFind' });
    await field(panel).pressSequentially('ebb');
    await count(panel, 'None');
    assert.equal(await panel.page.getByRole('button', { name: 'Next match' }).isDisabled(), true);
    await panel.put(said('Ebb and flow'));
    await count(panel, '1 of 1');
    await panel.page.keyboard.press('F3');
    await eventually('the match', async () => (await marked(panel)).current[0] === 'Ebb');
  });

  it('begins with what is selected', async () => {
    const panel = await bench.open({ entries });
    await panel.conversation.getByText('jitter()', { exact: true }).selectText();
    await panel.page.keyboard.press('Control+f');
    assert.equal(await field(panel).inputValue(), 'jitter()');
    await count(panel, '1 of 1');
  });
});

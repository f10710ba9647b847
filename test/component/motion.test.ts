import assert from 'node:assert/strict';
import { answered, said, thought, tool } from '../support/panel/entries.ts';
import type { PanelOptions, PanelPage } from '../support/panel/panel-page.ts';
import { usePanel } from '../support/panel/use-panel.ts';

describe('what moves while Gantry works', () => {
  const bench = usePanel();

  const working = async (options: PanelOptions = {}): Promise<PanelPage> => {
    const panel = await bench.open({
      entries: [
        said('Go'),
        thought('Looking', { running: true, seconds: 0 }),
        tool('read_file', { subject: 'a.ts', status: 'running' }),
      ],
      state: { running: true, startedAt: Date.now() },
      ...options,
    });
    await panel.put(answered('One', { id: 'a', state: 'streaming' }));
    await panel.change({ op: 'append', id: 'a', text: ', two' });
    await panel.conversation.getByText('One, two').waitFor();
    await panel.message.pressSequentially('@');
    return panel;
  };
  const moving = (panel: PanelPage): Promise<number> => panel.page.evaluate(() => document.getAnimations().length);

  it('is a sign of it', async () => {
    assert.ok((await moving(await working())) > 0);
  });

  it('is nothing where the system asks for less motion', async () => {
    const panel = await working({ media: { reducedMotion: 'reduce' } });
    await panel.page.getByRole('article', { name: 'You' }).hover();
    assert.equal(await moving(panel), 0);
  });

  it('is nothing where VS Code asks for less motion', async () => {
    const panel = await working();
    await panel.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    await panel.page.getByRole('article', { name: 'You' }).hover();
    assert.equal(await moving(panel), 0);
  });
});

describe("the system's own colours", () => {
  const bench = usePanel();

  it('show what is chosen and what is typed', async () => {
    const panel = await bench.open({
      entries: [said('Go'), answered('Done')],
      media: { forcedColors: 'active' },
    });
    await panel.page.getByRole('button', { name: 'Sessions' }).click();
    const session = { updatedAt: Date.now(), messages: 3, pinned: false };
    await panel.post({
      type: 'sessions',
      sessions: [
        { ...session, id: 'a', title: 'The tide table', current: true },
        { ...session, id: 'b', title: 'Another one', current: false },
      ],
    });
    const outlines = await panel.page
      .getByRole('listbox', { name: 'Sessions' })
      .getByRole('option')
      .evaluateAll((all) => all.map((option) => getComputedStyle(option).outlineStyle));
    assert.deepEqual(outlines.toSorted(), ['none', 'solid']);
    await panel.screenshot('forced-colours');
  });
});

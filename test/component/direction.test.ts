import assert from 'node:assert/strict';
import { answered, said, tool } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const HEBREW = 'למה הבדיקה נכשלת?';

/** Of the letters of this text: whether they begin at the right edge of what is around them. */
async function beginsRight(panel: PanelPage, text: string): Promise<boolean> {
  return panel.conversation
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const words = range.getBoundingClientRect();
      const box = (element.closest('.block, .plain, .step-row') ?? element).getBoundingClientRect();
      return box.right - words.right < words.left - box.left;
    });
}

describe('words from right to left', () => {
  const bench = usePanel();
  const entries = [
    said(HEBREW),
    tool('read_file', { subject: 'src/retry.ts', summary: '1–118' }),
    answered('כי היא מחכה.\n\n```ts\nconst wait = 4;\n```', { id: 'hebrew' }),
    said('And in English?'),
    answered('It waits for the clock.', { id: 'english' }),
  ];

  it('begin at the right in a panel that goes from left to right, and others do not', async () => {
    const panel = await bench.open({ entries });
    await panel.conversation.getByText('It waits for the clock.').waitFor();
    assert.equal(await beginsRight(panel, HEBREW), true);
    assert.equal(await beginsRight(panel, 'כי היא מחכה.'), true);
    assert.equal(await beginsRight(panel, 'It waits for the clock.'), false);
  });

  it('turn the panel around, but no code, no paths and no words of another language', async () => {
    const panel = await bench.open({ entries, language: { tag: 'ar' } });
    await panel.conversation.getByText('It waits for the clock.').waitFor();
    assert.equal(await beginsRight(panel, HEBREW), true);
    assert.equal(await beginsRight(panel, 'And in English?'), false);
    assert.equal(await beginsRight(panel, 'It waits for the clock.'), false);
    const [step, sessions, send] = await Promise.all(
      [
        panel.page.getByRole('article', { name: 'Tool: read_file' }).locator('.codicon').first(),
        panel.page.getByRole('button', { name: 'Sessions' }),
        panel.page.getByRole('button', { name: 'Send', exact: true }),
      ].map((element) => element.boundingBox()),
    );
    assert.ok(step && sessions && send);
    assert.ok(step.x > 250 && sessions.x > 250 && send.x < 50, JSON.stringify([step, sessions, send]));
    const directions = await panel.conversation
      .locator('pre, .obj')
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));
    assert.deepEqual([...new Set(directions)], ['ltr']);
    await panel.screenshot('right-to-left');
  });
});

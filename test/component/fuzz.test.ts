import assert from 'node:assert/strict';
import { damaged } from '../support/panel/damaged.ts';
import { answered, said } from '../support/panel/entries.ts';
import { TO_PANEL } from '../support/panel/samples.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { isFullRun, some } from '../support/test-size.ts';

/** Between the lines of a long answer: the browser needs seconds to lay out a paragraph of half a megabyte. */
const ENDS_OF_LINES = isFullRun ? ['\n\n', ' '] : ['\n\n'];

describe('a panel that is told nonsense', () => {
  const bench = usePanel();

  it('shows what it showed, and continues', async () => {
    const panel = await bench.open({ entries: [said('Still here'), answered('And so am I.')] });
    await panel.conversation.getByText('And so am I.').waitFor();
    const before = await panel.page.locator('body').ariaSnapshot();
    const wrong = some(
      Object.values(TO_PANEL).flatMap((message) => [...damaged(message)].filter(isSmall)),
      0,
    );
    assert.ok(wrong.length > 500, String(wrong.length));
    // As text, in which a field may be called "__proto__".
    await panel.page.evaluate(
      (texts) => {
        for (const text of texts) window.postMessage(JSON.parse(text), '*');
        for (const message of [
          undefined,
          new Map([['type', 'state']]),
          new Error('x'),
          new Date(),
          'x'.repeat(10_000_000),
        ])
          window.postMessage(message, '*');
        const long = { type: 'insertText', text: 5, more: 'x'.repeat(10_000_000) };
        window.postMessage(long, '*');
        window.postMessage(JSON.parse('{"type":"insertText","text":"no","__proto__":{"polluted":1}}'), '*');
      },
      wrong.map((message) => JSON.stringify(message)),
    );
    await panel.post({ type: 'ping', count: 3 });
    await panel.next('pong');
    assert.equal(await panel.page.locator('body').ariaSnapshot(), before);
    assert.equal(await panel.page.evaluate(() => 'polluted' in {}), false);
    const types = new Set(panel.received.map(({ type }) => type));
    types.delete('saved');
    assert.deepEqual([...types].sort(), ['pong', 'ready', 'viewError']);
    await panel.message.fill('hello');
    await panel.message.press('Enter');
    assert.equal((await panel.next('send')).text, 'hello');
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  for (const end of ENDS_OF_LINES) {
    it(`keeps up with an answer of 10 MB with ${JSON.stringify(end)} after each line`, async function () {
      this.timeout(60_000);
      const panel = await bench.open({ entries: [said('Long')] });
      const line = 'word '.repeat(100).trim() + end;
      await panel.put(answered(line.repeat(10_000_000 / line.length), { id: 'long' }));
      await panel.post({ type: 'ping', count: 4 });
      await panel.next('pong');
      await panel.put(said('After it'));
      await panel.conversation.getByText('After it').waitFor({ timeout: 30_000 });
      await panel.conversation.getByText('The rest is not shown here. The text has 10M characters in total.').waitFor();
    });
  }
});

/** Ten megabytes for each of them would be sent to the browser as text. */
function isSmall(message: unknown): boolean {
  const isObject = typeof message === 'object' && message !== null;
  return !(isObject && 'type' in message && typeof message.type === 'string' && message.type.length > 10_000);
}

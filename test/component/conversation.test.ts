import assert from 'node:assert/strict';
import { answered, said, thought, tool } from '../support/panel/entries.ts';
import { THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

describe('the panel in a browser', () => {
  const bench = usePanel();

  const conversation = [
    said('What is in src/tides.ts?'),
    thought('Reading it.'),
    tool('read_file', { subject: 'src/tides.ts', summary: '1–118' }),
    answered('It holds the **tide table**:\n\n```ts\nexport const high = 3;\n```\n\nand `format`.'),
  ];

  for (const theme of THEMES) {
    it(`shows a conversation in ${theme}`, async () => {
      const panel = await bench.open({ theme, entries: conversation });
      await panel.page.getByRole('article', { name: 'Gantry' }).getByText('tide table').waitFor();
      assert.equal(await panel.page.getByRole('article', { name: 'You' }).count(), 1);
      assert.equal(await panel.page.getByRole('article', { name: 'Tool: read_file' }).count(), 1);
      await panel.screenshot(`conversation-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('sends a message and shows it until the host has it', async () => {
    const panel = await bench.open();
    await panel.message.fill('Hello there');
    await panel.message.press('Enter');
    const { text, ref } = await panel.next('send');
    assert.equal(text, 'Hello there');
    await panel.page.getByRole('article', { name: 'You' }).getByText('Hello there').waitFor();
    await panel.put(said('Hello there'));
    await panel.post({ type: 'sent', ref });
    assert.equal(await panel.message.inputValue(), '');
    assert.equal(await panel.page.getByRole('article', { name: 'You' }).count(), 1);
  });

  it('keeps a draft when its page goes and comes again', async () => {
    const panel = await bench.open();
    await panel.message.fill('not yet sent');
    await panel.page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('not yet sent'));
    await panel.reload();
    await panel.message.waitFor();
    assert.equal(await panel.message.inputValue(), 'not yet sent');
  });
});

import assert from 'node:assert/strict';
import { answered, said, thought, tool } from '../support/panel/entries.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

describe('the panel in a browser', () => {
  const bench = usePanel();

  const conversation = [
    said('What is in src/tides.ts?'),
    thought('Reading it.'),
    tool('read_file', { subject: 'src/tides.ts', summary: '1–118' }),
    answered('It holds the **tide table**:\n\n```ts\nexport const high = 3;\n```\n\nand `format`.'),
  ];

  for (const theme of SHOWN_THEMES) {
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

  it('continues with an answer that is being written while its page goes and comes again', async () => {
    const panel = await bench.open({ state: { running: true, startedAt: Date.now() } });
    await panel.put(said('Go on'), answered('One', { id: 'a', state: 'streaming' }));
    await panel.conversation.getByText('One').waitFor();
    await panel.page.goto('about:blank');
    panel.stream({ op: 'append', id: 'a', text: ', two' });
    await panel.return();
    await panel.change({ op: 'append', id: 'a', text: ', three' });
    await panel.conversation.getByText('One, two, three').waitFor();
    await panel.put(answered('One, two, three', { id: 'a' }));
    await panel.announced.getByText('Gantry: One, two, three').waitFor();
  });

  it('keeps a draft when its page goes and comes again', async () => {
    const panel = await bench.open();
    await panel.message.fill('not yet sent');
    await panel.page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('not yet sent'));
    await panel.reload();
    await panel.message.waitFor();
    assert.equal(await panel.message.inputValue(), 'not yet sent');
  });

  it('has kept every key before anything else can happen', async () => {
    const panel = await bench.open();
    const kept = await panel.message.evaluate(async (input: HTMLTextAreaElement) => {
      const states: (string | null)[] = [];
      for (const text of ['the l', 'the la', 'the last word']) {
        input.value = text;
        input.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, 0));
        states.push(sessionStorage.getItem('vscode-state'));
      }
      return states;
    });
    assert.deepEqual(
      kept.map((state) => JSON.parse(state ?? '{}').draft),
      ['the l', 'the la', 'the last word'],
    );
  });

  it('continues in another place with what was typed in the first', async () => {
    const side = await bench.open();
    await side.message.fill('half a thought </script>');
    const view = await eventually('what was typed', () => {
      const saved = side.received.findLast((message) => message.type === 'saved');
      return saved?.type === 'saved' && saved.view.includes('half a thought') ? saved.view : undefined;
    });
    const editor = await bench.open({ carried: view, width: 900 });
    assert.equal(await editor.message.inputValue(), 'half a thought </script>');
    await editor.message.fill('another');
    await editor.page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('another'));
    await editor.reload();
    assert.equal(await editor.message.inputValue(), 'another');
    assert.deepEqual([editor.complaints, editor.strayRequests], [[], []]);
  });

  it('begins anew when what it is given cannot be read', async () => {
    const panel = await bench.open({ carried: '{"version":' });
    assert.equal(await panel.message.inputValue(), '');
    assert.deepEqual(panel.complaints, []);
  });
});

import assert from 'node:assert/strict';
import type { ShownAttachment } from '../../extension/protocol/agent/attachment.ts';
import { said } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { pngAddress } from '../support/panel/picture.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const PICTURE = pngAddress(64, 40);

const ATTACHED: ShownAttachment[] = [
  { id: 'a', kind: 'image', label: 'ci-run.png', picture: PICTURE },
  {
    id: 'b',
    kind: 'selection',
    label: 'retry.test.ts:40-71',
    path: 'test/retry.test.ts',
    excerpt: "it('waits longer each time', async () => {\n  const waits = await waitsOf(3);\n…",
  },
  { id: 'c', kind: 'terminal', label: 'bash, last command', excerpt: '$ npm test\n1 failing' },
];

describe('The input', () => {
  const bench = usePanel();
  const value = (panel: PanelPage): Promise<string> => panel.message.inputValue();

  it('goes back through what was sent at the first line, and forward to what was being written', async () => {
    const panel = await bench.open();
    await panel.post({ type: 'input', sendKey: 'enter', history: ['first', 'second\nwith two lines'] });
    await panel.message.fill('mine');
    await panel.message.press('ArrowUp');
    assert.equal(await value(panel), 'second\nwith two lines');
    await panel.message.press('ArrowUp');
    assert.equal(await value(panel), 'first');
    await panel.message.press('ArrowUp');
    assert.equal(await value(panel), 'first');
    await panel.message.press('ArrowDown');
    assert.equal(await value(panel), 'second\nwith two lines');
    await panel.message.press('ArrowDown');
    assert.equal(await value(panel), 'mine');
  });

  it('leaves the arrow keys to the text where there is a line to go to', async () => {
    const panel = await bench.open();
    await panel.post({ type: 'input', sendKey: 'enter', history: ['before'] });
    await panel.message.fill('one\ntwo');
    await panel.message.press('ArrowUp');
    assert.equal(await value(panel), 'one\ntwo');
    await panel.message.press('ArrowUp');
    assert.equal(await value(panel), 'before');
  });

  it('has what was just sent in its history', async () => {
    const panel = await bench.open();
    await panel.message.fill('Hello');
    await panel.message.press('Enter');
    const { ref } = await panel.next('send');
    await panel.post({ type: 'sent', ref });
    await panel.message.press('ArrowUp');
    assert.equal(await value(panel), 'Hello');
  });

  it('takes the last waiting message back with Up from an empty input', async () => {
    const waiting = { ...said('Then the changelog'), pending: 'queue' as const };
    const panel = await bench.open({ entries: [waiting], state: { running: true } });
    await panel.page.getByRole('button', { name: 'Edit queued message' }).waitFor();
    await panel.message.press('ArrowUp');
    assert.equal((await panel.next('withdraw')).messageId, waiting.messageId);
  });

  it('keeps what is written for each session, also over a reload', async () => {
    const panel = await bench.open();
    await panel.post({ type: 'inputOf', session: 'one', replaced: true });
    await panel.message.fill('for one');
    await panel.post({ type: 'inputOf', session: 'two', replaced: true });
    await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    await panel.message.fill('for two');
    await panel.page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('for two'));
    await panel.reload();
    await panel.post({ type: 'inputOf', session: 'two', replaced: true });
    await panel.message.waitFor();
    assert.equal(await value(panel), 'for two');
    await panel.post({ type: 'inputOf', session: 'one', replaced: true });
    await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === 'for one');
    await panel.post({ type: 'inputOf', session: 'two', replaced: true });
    await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === 'for two');
  });

  it('keeps what is written when a new session gets its name', async () => {
    const panel = await bench.open();
    await panel.message.fill('and another thing');
    await panel.post({ type: 'inputOf', session: 'named', replaced: false });
    await panel.message.press('End');
    assert.equal(await value(panel), 'and another thing');
  });

  it('does not send with the Enter that chooses a word of an input method', async () => {
    const panel = await bench.open();
    await panel.message.fill('nihon');
    const press = (init: { readonly isComposing?: boolean; readonly keyCode?: number }): Promise<void> =>
      panel.message.evaluate((field, given) => {
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...given }));
      }, init);
    await press({ isComposing: true });
    await press({ keyCode: 229 });
    await panel.message.press('Shift+Enter');
    assert.equal(await value(panel), 'nihon\n');
    assert.ok(!panel.received.some(({ type }) => type === 'send'));
    await press({});
    assert.equal((await panel.next('send')).text, 'nihon\n');
  });

  it('sends with the keys of the setting', async () => {
    const panel = await bench.open();
    await panel.post({ type: 'input', sendKey: 'ctrlEnter', history: [] });
    await panel.page.getByRole('button', { name: 'Send' }).waitFor();
    await panel.message.fill('one');
    await panel.message.press('Enter');
    await panel.message.pressSequentially('two');
    assert.equal(await value(panel), 'one\ntwo');
    assert.equal(await panel.page.getByRole('button', { name: 'Send' }).getAttribute('title'), 'Send (Ctrl+Enter)');
    await panel.message.press('Control+Enter');
    assert.equal((await panel.next('send')).text, 'one\ntwo');
  });

  it('grows with its lines up to a limit, and then scrolls', async () => {
    const panel = await bench.open({ height: 600 });
    const height = async (): Promise<number> => (await panel.message.boundingBox())?.height ?? 0;
    const one = await height();
    await panel.message.fill('a\nb\nc');
    const three = await height();
    await panel.message.fill('line\n'.repeat(200));
    const many = await height();
    assert.ok(three > one + 30, `${one} ${three}`);
    assert.ok(many > three && many <= 240, `${many}`);
  });

  /** As a browser does for what lies in the clipboard or under the pointer. */
  async function give(
    panel: PanelPage,
    kind: 'paste' | 'drop',
    files: readonly { name: string; type: string; bytes: number[] }[],
    lists: Record<string, string> = {},
  ): Promise<void> {
    await panel.message.evaluate(
      (field, given) => {
        const data = new DataTransfer();
        for (const { name, type, bytes } of given.files)
          data.items.add(new File([new Uint8Array(bytes)], name, { type }));
        for (const [type, text] of Object.entries(given.lists)) data.setData(type, text);
        const init = { bubbles: true, cancelable: true };
        field.dispatchEvent(
          given.kind === 'paste'
            ? new ClipboardEvent('paste', { ...init, clipboardData: data })
            : new DragEvent('drop', { ...init, dataTransfer: data }),
        );
      },
      { kind, files: [...files], lists },
    );
  }

  const pixels = [...Buffer.from(PICTURE.replace(/^.*,/, ''), 'base64')];

  it('attaches a picture that is pasted, with a small picture of it, but words where they come with it', async () => {
    const panel = await bench.open();
    await give(panel, 'paste', [{ name: 'image.png', type: 'image/png', bytes: pixels }]);
    const { name, data, preview } = await panel.next('attachData');
    assert.equal(name, 'image.png');
    assert.deepEqual([...Buffer.from(data, 'base64')], pixels);
    assert.match(preview ?? '', /^data:image\/webp;base64,/);
    await give(panel, 'paste', [{ name: 'table.png', type: 'image/png', bytes: pixels }], { 'text/plain': 'a b' });
    await give(panel, 'paste', [{ name: 'after.png', type: 'image/png', bytes: pixels }]);
    assert.equal((await panel.next('attachData')).name, 'after.png');
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  it('attaches files of the Explorer by their addresses, wherever they are dropped', async () => {
    const panel = await bench.open();
    const list = 'file:///work/a%20b.ts\r\nvscode-remote://host/work/c.ts\r\nhttps://example.com/';
    await give(panel, 'drop', [], { 'text/uri-list': list });
    assert.deepEqual((await panel.next('attachUris')).uris, [
      'file:///work/a%20b.ts',
      'vscode-remote://host/work/c.ts',
    ]);
  });

  it('refuses what is too large before it is read, and keeps the words', async () => {
    const panel = await bench.open();
    await panel.message.fill('Look');
    await panel.message.evaluate((field) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(8 * 1024 * 1024)], 'huge.png', { type: 'image/png' }));
      field.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
    });
    await panel.page.getByRole('alert').getByText('huge.png is too large to attach (8.0 MB)').waitFor();
    assert.equal(await value(panel), 'Look');
    assert.ok(!panel.received.some(({ type }) => type === 'attachData'));
  });

  for (const theme of SHOWN_THEMES) {
    it(`shows what is attached and what is in it, in ${theme}`, async () => {
      const panel = await bench.open({ theme, height: 480 });
      await panel.post({ type: 'attachments', attachments: ATTACHED });
      await panel.message.fill('!npm test -- --run retry');
      await panel.page.getByText('retry.test.ts:40-71', { exact: true }).hover();
      await panel.page.getByRole('tooltip').getByText('waits longer each time').waitFor();
      await panel.screenshot(`attached-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('removes what is attached with the keyboard, chip by chip', async () => {
    const panel = await bench.open();
    await panel.post({ type: 'attachments', attachments: ATTACHED });
    await panel.page.getByRole('button', { name: 'Remove ci-run.png' }).focus();
    await panel.page.getByRole('tooltip').locator('img').waitFor();
    await panel.page.keyboard.press('ArrowRight');
    await panel.page.keyboard.press('Delete');
    assert.equal((await panel.next('removeAttachment')).id, 'b');
    await panel.post({ type: 'attachments', attachments: ATTACHED.filter(({ id }) => id !== 'b') });
    const focused = panel.page.locator(':focus');
    assert.equal(await focused.getAttribute('aria-label'), 'Remove bash, last command');
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.next('removeAttachment')).id, 'c');
  });
});

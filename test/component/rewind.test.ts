import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { RewindPreview } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { answered, said, tool } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { REWIND } from '../support/panel/scene-entries.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

const ENTRIES = [
  said('Why is the upload test flaky?', { id: 'm1', at: Date.now() }),
  answered('It waits for the clock.'),
  said('Now make the upload resume after a dropped part.', { id: 'm2', at: Date.now() }),
  tool('replace', { subject: 'src/net/upload.ts', summary: '+18 −31' }),
  answered('It resumes now.'),
];

const PREVIEW: RewindPreview = {
  ...REWIND,
  text: 'Now make the upload resume after a dropped part.',
  at: Date.now(),
  turns: 2,
};

const you = (panel: PanelPage, index: number): Locator => panel.page.getByRole('article', { name: 'You' }).nth(index);
const radio = (panel: PanelPage, name: string): Locator => panel.page.getByRole('radio', { name });
const button = (panel: PanelPage, name: string): Locator => panel.page.getByRole('button', { name, exact: true });

describe('going back to a message', () => {
  const bench = usePanel();

  const open = async (
    more: Partial<RewindPreview> = {},
    options: Parameters<typeof bench.open>[0] = {},
  ): Promise<PanelPage> => {
    const panel = await bench.open({ entries: ENTRIES, ...options });
    await you(panel, 1).hover();
    await you(panel, 1).getByRole('button', { name: 'Rewind to here' }).click();
    assert.equal((await panel.next('rewindPreview')).messageId, 'm2');
    await panel.post({ type: 'rewindPreview', preview: { ...PREVIEW, ...more } });
    await radio(panel, 'Conversation only').waitFor();
    return panel;
  };

  for (const theme of SHOWN_THEMES) {
    it(`shows what would change, and each file or all of them as a diff, in ${theme}`, async () => {
      const panel = await open({}, { theme, height: 760 });
      await panel.page.getByText('1 turn with 17 tool calls will be removed').waitFor();
      await panel.page.getByRole('list', { name: 'Files' }).getByText('+18').waitFor();
      await panel.page.getByText('created after that point, will be deleted').waitFor();
      await panel.page.getByText('Kept. Someone edited it after Gantry did.').waitFor();
      await panel.page.getByText('Commands are not reversed.').waitFor();
      await panel.page.getByText('Can be undone').waitFor();
      await eventually('focus on the choice', () =>
        radio(panel, 'Conversation and files').evaluate((one) => one === document.activeElement),
      );
      const overflow = await panel.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0);
      await panel.screenshot(`rewind-${theme}`);
      await panel.page.getByRole('button', { name: 'Compare test/upload.test.ts' }).last().click();
      assert.equal((await panel.next('compareRewind')).path, '/w/test/upload.test.ts');
      await button(panel, 'Show all as diff').click();
      assert.equal((await panel.next('compareRewind')).path, undefined);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('goes back with conversation and files, and leaves what others changed', async () => {
    const panel = await open();
    await button(panel, 'Rewind').click();
    assert.deepEqual(await panel.next('rewind'), { type: 'rewind', messageId: 'm2', what: 'both', overwrite: [] });
    await panel.post({ type: 'insertText', text: PREVIEW.text });
    await panel.post({ type: 'rewound', messageId: 'm2' });
    await panel.page.getByRole('radiogroup').waitFor({ state: 'detached' });
    await eventually('focus in the input', () => panel.message.evaluate((field) => field === document.activeElement));
  });

  it('goes back as the user chooses', async () => {
    const panel = await open();
    await panel.page.getByRole('checkbox', { name: 'Restore test/upload.test.ts anyway' }).check();
    await radio(panel, 'Files only').check();
    assert.equal(await panel.page.getByText('will be removed').count(), 0);
    await button(panel, 'Rewind').click();
    assert.deepEqual(await panel.next('rewind'), {
      type: 'rewind',
      messageId: 'm2',
      what: 'files',
      overwrite: ['/w/test/upload.test.ts'],
    });
  });

  it('begins a new session from there, with nothing rewound', async () => {
    const panel = await open();
    await radio(panel, 'New session from here').check();
    await button(panel, 'New session').click();
    assert.equal((await panel.next('rewind')).what, 'fork');
  });

  it('puts no files back in a folder that is not trusted', async () => {
    const panel = await open({ filesStay: 'This folder is not trusted, so its files are not restored.' });
    assert.equal(await radio(panel, 'Conversation and files').isDisabled(), true);
    assert.equal(await radio(panel, 'Conversation only').isChecked(), true);
    await button(panel, 'Rewind').click();
    assert.equal((await panel.next('rewind')).what, 'conversation');
  });

  it('says why it cannot be done now, and goes back to the conversation with Escape', async () => {
    const panel = await open();
    await button(panel, 'Rewind').click();
    await panel.next('rewind');
    await panel.post({
      type: 'rewindRefused',
      messageId: 'm2',
      title: 'Nothing was rewound',
      detail: 'Gantry is still working.',
    });
    await panel.page.getByRole('alert').getByText('Gantry is still working.').waitFor();
    await panel.page.keyboard.press('Escape');
    await panel.page.getByRole('radiogroup').waitFor({ state: 'detached' });
    const rewind = you(panel, 1).getByRole('button', { name: 'Rewind to here' });
    await eventually('focus back', () => rewind.evaluate((one) => one === document.activeElement));
  });
});

describe('changing a message where it stands', () => {
  const bench = usePanel();
  const field = (panel: PanelPage): Locator => panel.page.getByRole('textbox', { name: 'Edit message' });

  const edit = async (
    more: Partial<RewindPreview> = {},
    options: Parameters<typeof bench.open>[0] = {},
  ): Promise<PanelPage> => {
    const panel = await bench.open({ entries: ENTRIES, ...options });
    await you(panel, 1).hover();
    await you(panel, 1).getByRole('button', { name: 'Edit and resend' }).click();
    await panel.next('rewindPreview');
    await panel.post({ type: 'rewindPreview', preview: { ...PREVIEW, ...more } });
    await field(panel).waitFor();
    return panel;
  };

  for (const theme of SHOWN_THEMES) {
    it(`asks about files in one step with the words, in ${theme}`, async () => {
      const panel = await edit({}, { theme });
      await radio(panel, 'Restore 3 files').waitFor();
      assert.equal(await field(panel).evaluate((one) => one === document.activeElement), true);
      await panel.screenshot(`edit-${theme}`);
      await field(panel).fill('Make it resume, and test it');
      await field(panel).press('Enter');
      const { ref, ...message } = await panel.next('resend');
      assert.deepEqual(message, {
        type: 'resend',
        messageId: 'm2',
        text: 'Make it resume, and test it',
        what: 'both',
        overwrite: [],
      });
      await panel.change({ op: 'remove', ids: ENTRIES.slice(2).map(({ id }) => id) });
      await panel.put(said('Make it resume, and test it'));
      await panel.post({ type: 'sent', ref });
      await eventually(
        'two messages',
        async () => (await panel.page.getByRole('article', { name: 'You' }).count()) === 2,
      );
      assert.equal(await field(panel).count(), 0);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('keeps the files when the user wants that, and asks nothing where there are none', async () => {
    const panel = await edit();
    await radio(panel, 'Keep files as they are').check();
    await button(panel, 'Send again').click();
    assert.equal((await panel.next('resend')).what, 'conversation');
    const other = await edit({ files: [] });
    assert.equal(await other.page.getByRole('radio').count(), 0);
    await button(other, 'Send again').click();
    assert.equal((await other.next('resend')).what, 'conversation');
  });

  it('gives the message back with Escape, and the draft was never touched', async () => {
    const panel = await bench.open({ entries: ENTRIES });
    await panel.message.fill('a draft');
    await you(panel, 1).hover();
    const start = you(panel, 1).getByRole('button', { name: 'Edit and resend' });
    await start.click();
    await field(panel).fill('other words');
    await field(panel).press('Escape');
    await you(panel, 1).getByText('Now make the upload resume').waitFor();
    await eventually('focus back', () => start.evaluate((one) => one === document.activeElement));
    assert.equal(await panel.message.inputValue(), 'a draft');
    assert.equal(
      panel.received.some(({ type }) => type === 'resend'),
      false,
    );
  });

  it('has its words in the input when it was refused', async () => {
    const panel = await edit();
    await field(panel).fill('Again');
    await field(panel).press('Enter');
    const { ref } = await panel.next('resend');
    await panel.post({ type: 'sent', ref, refused: { title: 'Nothing was rewound', detail: 'It runs.' } });
    await panel.page.getByText('Nothing was rewound').waitFor();
    assert.equal(await panel.message.inputValue(), 'Again');
  });

  it('is still being changed when its page goes and comes again', async () => {
    const panel = await edit();
    await field(panel).fill('half a thought');
    await panel.page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('half a thought'));
    await panel.reload();
    await field(panel).waitFor();
    assert.equal(await field(panel).inputValue(), 'half a thought');
    assert.equal((await panel.next('rewindPreview')).messageId, 'm2');
  });
});

describe('messages that wait', () => {
  const bench = usePanel();
  const WAITING = [
    said('Use fake timers, not a longer limit', { id: 's', pending: 'steer' }),
    said('Then update the changelog', { id: 'q', pending: 'queue' }),
  ];

  for (const theme of SHOWN_THEMES) {
    it(`are on the shelf, by their names, until they are delivered, in ${theme}`, async () => {
      const panel = await bench.open({
        theme,
        entries: [...ENTRIES, ...WAITING],
        state: { running: true, startedAt: Date.now() },
      });
      const shelf = panel.page.getByRole('region', { name: 'Pending messages' });
      await shelf.getByText('Steering').waitFor();
      await shelf.getByText('Queued').waitFor();
      assert.equal(await panel.page.getByRole('article', { name: 'You' }).count(), 2, 'none in the conversation');
      await panel.screenshot(`waiting-${theme}`);
      await panel.change({ op: 'remove', ids: ['s'] });
      await panel.put(said('Use fake timers, not a longer limit', { id: 's' }));
      await panel.page.getByRole('article', { name: 'You' }).getByText('Use fake timers').waitFor();
      assert.equal(await panel.page.getByText('Steering').count(), 0);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('come back into the input to be changed, or are withdrawn, with the mouse', async () => {
    const panel = await bench.open({ entries: [...ENTRIES, ...WAITING], state: { running: true } });
    await button(panel, 'Edit queued message').click();
    assert.deepEqual(await panel.next('withdraw'), { type: 'withdraw', messageId: 'q' });
    await panel.change({ op: 'remove', ids: ['q'] });
    await panel.post({ type: 'insertText', text: 'Then update the changelog' });
    assert.equal(await panel.message.inputValue(), 'Then update the changelog');
    await button(panel, 'Withdraw steering message').click();
    assert.deepEqual(await panel.next('withdraw'), { type: 'withdraw', messageId: 's', forget: true });
    await panel.change({ op: 'remove', ids: ['s'] });
    await panel.page.getByRole('region', { name: 'Pending messages' }).waitFor({ state: 'detached' });
    await eventually('focus in the input', () => panel.message.evaluate((one) => one === document.activeElement));
  });

  for (const theme of SHOWN_THEMES) {
    it(`are a quiet line once they have joined the turn, in ${theme}`, async () => {
      const steered = said('Use fake timers, not a longer limit. The clock of the test has to stand still.', {
        id: 's',
        steered: true,
        at: Date.now(),
      });
      const panel = await bench.open({ theme, entries: [...ENTRIES, steered], state: { running: true } });
      const line = panel.page.getByRole('article', { name: 'You' }).filter({ hasText: 'You steered:' });
      await line.getByText('Use fake timers').waitFor();
      await line.hover();
      await line.getByRole('button', { name: 'Copy message' }).click();
      assert.match((await panel.next('copy')).text, /^Use fake timers/);
      await panel.screenshot(`steered-${theme}`);
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('come back into the input to be changed, or are withdrawn, with the keyboard alone', async () => {
    const panel = await bench.open({ entries: [...ENTRIES, ...WAITING], state: { running: true } });
    const focused = () =>
      panel.page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.localName,
      );
    await panel.message.focus();
    const way: (string | undefined)[] = [];
    for (let step = 0; step < 4; step++) {
      await panel.page.keyboard.press('Shift+Tab');
      way.push(await focused());
    }
    assert.deepEqual(way, [
      'Withdraw queued message',
      'Edit queued message',
      'Withdraw steering message',
      'Edit steering message',
    ]);
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.next('withdraw'), { type: 'withdraw', messageId: 's' });
    await panel.change({ op: 'remove', ids: ['s'] });
    await panel.post({ type: 'insertText', text: 'Use fake timers, not a longer limit' });
    await eventually('focus in the input', async () => (await focused()) === 'Message');
    await panel.page.keyboard.press('Shift+Tab');
    await panel.page.keyboard.press('Space');
    assert.deepEqual(await panel.next('withdraw'), { type: 'withdraw', messageId: 'q', forget: true });
    await panel.change({ op: 'remove', ids: ['q'] });
    await panel.page.getByRole('region', { name: 'Pending messages' }).waitFor({ state: 'detached' });
    await eventually('focus in the input', async () => (await focused()) === 'Message');
    assert.equal(await panel.message.inputValue(), 'Use fake timers, not a longer limit');
  });
});

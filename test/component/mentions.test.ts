import assert from 'node:assert/strict';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { COMMANDS, MENTIONS, suggestion } from '../support/panel/suggestions.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

describe('Mentions and commands in the input', () => {
  const bench = usePanel();

  /** Types, and answers the last question of the panel. */
  async function typed(panel: PanelPage, text: string, groups = MENTIONS): Promise<number> {
    await panel.message.click();
    await panel.message.pressSequentially(text);
    const id = await panel.lastSuggest(text);
    await panel.post({ type: 'suggestions', id, groups, pending: false });
    return id;
  }

  for (const theme of SHOWN_THEMES) {
    it(`shows what can be mentioned, in ${theme}`, async () => {
      const panel = await bench.open({ theme, height: 520 });
      await typed(panel, 'Why does @ret');
      const list = panel.page.getByRole('listbox', { name: 'Mentions' });
      assert.equal(await list.getByRole('option').count(), 7);
      assert.deepEqual(
        await Promise.all(
          (await list.getByRole('group').all()).map((group) => group.getByRole('presentation').innerText()),
        ),
        ['Files and folders', 'Symbols', 'More'],
      );
      await panel.screenshot(`mentions-${theme}`);
      await panel.message.press('Escape');
      await list.waitFor({ state: 'detached' });
      await panel.message.fill('');
      await typed(panel, '/re', COMMANDS);
      await panel.page.getByRole('listbox', { name: 'Commands' }).waitFor();
      await panel.screenshot(`commands-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('takes a mention with the keyboard, while the input keeps the focus', async () => {
    const panel = await bench.open();
    await typed(panel, 'Why does @ret');
    const active = (): Promise<string | null> => panel.message.getAttribute('aria-activedescendant');
    const label = async (): Promise<string> => panel.page.locator(`[id="${await active()}"] .name`).innerText();
    assert.equal(await label(), 'retry.ts');
    await panel.message.press('ArrowUp');
    assert.equal(await label(), 'Git changes');
    await panel.message.press('ArrowDown');
    assert.equal(await label(), 'retry.ts');
    await panel.message.press('Enter');
    assert.equal((await panel.next('mention')).id, 'id-retry.ts');
    assert.equal(await panel.message.inputValue(), 'Why does @src/net/retry.ts ');
    assert.equal(await panel.page.getByRole('listbox').count(), 0);
    await panel.message.pressSequentially('wait?');
    await panel.message.press('Enter');
    assert.equal((await panel.next('send')).text, 'Why does @src/net/retry.ts wait?');
  });

  it('begins a mention with the button, and takes one with the pointer', async () => {
    const panel = await bench.open();
    await panel.message.fill('See');
    await panel.page.getByRole('button', { name: 'Add context' }).click();
    assert.equal(await panel.message.inputValue(), 'See @');
    assert.equal((await panel.next('suggest')).about, 'mention');
    await panel.message.fill('');
    await typed(panel, '@ret');
    await panel.page.getByRole('option', { name: /withRetry/ }).click();
    assert.equal((await panel.next('mention')).id, 'id-withRetry');
    assert.equal(await panel.message.inputValue(), '@withRetry ');
    assert.ok(await panel.message.evaluate((field) => field.matches(':focus')));
  });

  it('says when the input gets the focus, before anything is typed and only once', async () => {
    const panel = await bench.open();
    await panel.message.focus();
    await panel.next('inputFocused');
    await panel.message.blur();
    await panel.message.focus();
    await panel.message.pressSequentially('@');
    await panel.next('suggest');
    assert.equal(panel.received.filter(({ type }) => type === 'inputFocused').length, 1);
  });

  it('does not wait for the host, and drops what it finds too late', async () => {
    const panel = await bench.open();
    await panel.message.click();
    await panel.message.pressSequentially('@re');
    const early = await panel.lastSuggest('re');
    await panel.message.pressSequentially('tr');
    const late = await panel.lastSuggest('retr');
    await panel.post({
      type: 'suggestions',
      id: late,
      groups: [{ title: 'Files', items: [suggestion('new.ts')] }],
      pending: true,
    });
    await panel.page.getByRole('option', { name: 'new.ts' }).waitFor();
    await panel.post({
      type: 'suggestions',
      id: early,
      groups: [{ title: 'Files', items: [suggestion('old.ts')] }],
      pending: false,
    });
    await panel.message.press('ArrowDown');
    assert.deepEqual(await panel.page.getByRole('option').allInnerTexts(), ['new.ts']);
  });

  it('stays on the option the user went to when more is found', async () => {
    const panel = await bench.open();
    const id = await typed(panel, '@ret', [{ title: 'Files', items: [suggestion('a.ts'), suggestion('b.ts')] }]);
    await panel.message.press('ArrowDown');
    const more = [suggestion('b.ts', { id: 'again' }), suggestion('c.ts')];
    await panel.post({ type: 'suggestions', id, groups: [{ title: 'Files', items: more }], pending: false });
    await panel.page.getByRole('option', { name: 'c.ts' }).waitFor();
    await panel.message.press('Enter');
    assert.equal((await panel.next('mention')).id, 'again');
  });

  it('says when there is nothing, and closes with Escape before that stops the run', async () => {
    const panel = await bench.open({ state: { running: true } });
    await typed(panel, '@zzz', []);
    await panel.page.getByText('No matches for this name').waitFor();
    await panel.message.press('Escape');
    await panel.page.getByText('No matches for this name').waitFor({ state: 'detached' });
    assert.ok(!panel.received.some(({ type }) => type === 'stop'));
    await panel.message.press('Escape');
    await panel.next('stop');
  });

  it('asks for nothing behind an address, in a command of the shell, or in a path', async () => {
    const panel = await bench.open();
    for (const text of ['me@home', '!npm i @scope/a', '/usr/bin']) {
      await panel.message.fill(text);
      await panel.message.press('End');
    }
    await panel.message.fill('@a');
    assert.equal((await panel.next('suggest')).query, 'a');
  });

  it('runs a command that takes nothing, and completes one that takes something', async () => {
    const panel = await bench.open();
    await typed(panel, '/re', COMMANDS);
    await panel.message.press('Enter');
    const { text, ref } = await panel.next('slash');
    assert.equal(text, '/rewind');
    await panel.post({ type: 'sent', ref });
    await typed(panel, '/re', COMMANDS);
    await panel.message.press('ArrowUp');
    await panel.message.press('Enter');
    assert.equal(await panel.message.inputValue(), '/review ');
    await panel.message.pressSequentially('main');
    await panel.message.press('Enter');
    assert.equal((await panel.next('slash')).text, '/review main');
  });

  it('keeps the words of a command that there is not, and says so', async () => {
    const panel = await bench.open();
    await panel.message.fill('/nonsense now');
    await panel.message.press('Enter');
    const { ref } = await panel.next('slash');
    const refused = { title: 'There is no command /nonsense', detail: '/help lists all commands.' };
    await panel.post({ type: 'sent', ref, refused });
    await panel.page.getByRole('alert').getByText('There is no command /nonsense').waitFor();
    assert.equal(await panel.message.inputValue(), '/nonsense now');
  });

  it('shows what a command has to say, until it is dismissed', async () => {
    const panel = await bench.open();
    const rows = Array.from({ length: 30 }, (_, at) => ({ name: `/command${at} [name]`, value: 'What it does' }));
    await panel.post({ type: 'notice', notice: { title: 'Commands and keys', rows } });
    const notice = panel.page.getByRole('region', { name: 'Commands and keys' });
    await notice.getByText('/command29').waitFor();
    await panel.screenshot('notice-dark');
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
    assert.ok(await panel.message.evaluate((field) => field.matches(':focus')));
  });

  it('has links to the files behind its rows, and buttons for what can be done', async () => {
    const panel = await bench.open();
    const rows = [
      { name: 'generalist', value: 'Comes with Gantry.' },
      { name: 'reviewer', value: 'Yours. Reviews changes', link: 'notice-1' },
    ];
    const actions = [{ label: 'Review Agents…', link: 'notice-2' }];
    await panel.post({ type: 'notice', notice: { title: 'Agents', rows, actions } });
    const notice = panel.page.getByRole('region', { name: 'Agents' });
    assert.equal(await notice.getByRole('link').count(), 1);
    await notice.getByRole('link', { name: 'reviewer' }).click();
    assert.deepEqual(await panel.next('openNotice'), { type: 'openNotice', link: 'notice-1' });
    await notice.getByRole('link', { name: 'reviewer' }).focus();
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.next('openNotice'), { type: 'openNotice', link: 'notice-1' });
    await notice.getByRole('button', { name: 'Review Agents…' }).click();
    assert.deepEqual(await panel.next('openNotice'), { type: 'openNotice', link: 'notice-2' });
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });
});

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { answered, asking, said, thought, tool } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { ASKS, SESSIONS } from '../support/panel/scene-entries.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

declare global {
  interface Window {
    /** What a screen reader was given to say, in order. */
    spoken: string[];
  }
}

const listen = (panel: PanelPage): Promise<void> =>
  panel.page.evaluate(() => {
    window.spoken = [];
    const region = document.querySelector('.sr[role=status]');
    if (!region) throw new Error('There is no live region.');
    const note = (): void => void window.spoken.push(region.textContent?.trim() ?? '');
    new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
  });

const spoken = (panel: PanelPage): Promise<string[]> => panel.page.evaluate(() => window.spoken);

const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === document.activeElement || one.contains(document.activeElement));

/** Something that can be used, and not the page as a whole, where a reader would begin from the top again. */
const isSomewhere = (panel: PanelPage): Promise<boolean> =>
  panel.page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);

describe('a screen reader', () => {
  const bench = usePanel();

  it('says a finished answer and a question once, and nothing of what comes between', async () => {
    const panel = await bench.open({ entries: [said('Go')], state: { running: true, startedAt: Date.now() } });
    await listen(panel);
    await panel.put(thought('Looking', { id: 't', running: true, seconds: 0 }));
    await panel.put(thought('Looking around', { id: 't' }));
    await panel.put(answered('', { id: 'a', state: 'streaming' }));
    for (let word = 1; word <= 40; word++) await panel.change({ op: 'append', id: 'a', text: `word ${word} ` });
    assert.deepEqual(await spoken(panel), [], 'while it is being written');
    await panel.put(answered('The whole answer.', { id: 'a' }));
    await panel.put(asking('run_shell_command', 'npm test', { id: 'ask' }));
    for (let time = 0; time < 3; time++) await panel.put(asking('run_shell_command', 'npm test', { id: 'ask' }));
    await panel.setState({ running: true });
    await panel.page.getByRole('button', { name: 'Allow once' }).waitFor();
    const said1 = await spoken(panel);
    assert.equal(said1.filter((text) => text.includes('The whole answer.')).length, 1, said1.join('\n'));
    assert.equal(said1.filter((text) => text.includes('Run a command?')).length, 1, said1.join('\n'));
    await panel.put(tool('run_shell_command', { id: 'ask', subject: 'npm test', summary: 'exit 0' }));
    await panel.put(answered('Another one.', { id: 'b' }));
    await panel.announced.getByText('Another one.').waitFor();
    const said2 = (await spoken(panel)).slice(said1.length).join(' ');
    assert.doesNotMatch(said2, /The whole answer|Run a command/);
  });

  it('does not say again what was there when the view comes back', async () => {
    const panel = await bench.open({ entries: [said('Go'), answered('Done.')] });
    await panel.conversation.getByText('Done.').waitFor();
    await panel.reload();
    await panel.conversation.getByText('Done.').waitFor();
    assert.equal((await panel.announced.textContent())?.trim(), '');
  });

  it('goes from turn to turn by headings, one title above them', async () => {
    const panel = await bench.open({
      entries: [said('One'), answered('# Part\n\nFirst.', { id: 'a' }), said('Two'), ...ASKS.slice(1)],
    });
    await panel.page.getByRole('button', { name: 'Allow once' }).first().waitFor();
    const headings = await panel.page
      .getByRole('heading')
      .evaluateAll((all) => all.map((heading) => `${heading.tagName} ${heading.textContent?.trim()}`));
    assert.deepEqual(headings, [
      'H1 A session',
      'H2 You',
      'H2 Gantry',
      'H3 Part',
      'H2 You',
      'H2 Edit src/net/retry.ts?',
      'H2 Run this command?',
    ]);
  });
});

describe('the focus is never lost', () => {
  const bench = usePanel();

  for (const [what, press] of [
    ['allowed', 'Allow once'],
    ['rejected', 'Reject'],
  ] as const) {
    it(`when a question is ${what} with the keyboard`, async () => {
      const panel = await bench.open({ entries: [said('Go'), asking('run_shell_command', 'npm test', { id: 'ask' })] });
      const card = panel.page.getByRole('article', { name: 'Tool: run_shell_command' });
      const button = card.getByRole('button', { name: press, exact: true });
      await eventually(
        'a button that can be pressed',
        async () => (await card.locator('[data-settling]').count()) === 0,
      );
      await button.focus();
      await panel.page.keyboard.press('Enter');
      await panel.next('answer');
      await panel.put(tool('run_shell_command', { id: 'ask', subject: 'npm test', summary: 'exit 0' }));
      await button.waitFor({ state: 'detached' });
      assert.equal(await hasFocus(card), true);
    });
  }

  it('when a question goes that was answered elsewhere', async () => {
    const panel = await bench.open({ entries: [said('Go'), asking('run_shell_command', 'npm test', { id: 'ask' })] });
    const card = panel.page.getByRole('article', { name: 'Tool: run_shell_command' });
    await eventually('a button that can be pressed', async () => (await card.locator('[data-settling]').count()) === 0);
    await card.getByRole('button', { name: 'Allow once' }).focus();
    await panel.put(tool('run_shell_command', { id: 'ask', subject: 'npm test', summary: 'exit 0' }));
    await card.getByRole('button', { name: 'Allow once' }).waitFor({ state: 'detached' });
    await eventually('focus', () => isSomewhere(panel));
  });

  it('when the entry that has it leaves the conversation', async () => {
    const panel = await bench.open({ entries: [said('One'), said('Two', { id: 'two' })] });
    const message = panel.page.getByRole('article', { name: 'You' }).last();
    await message.getByRole('button', { name: 'Copy message' }).focus();
    await panel.change({ op: 'remove', ids: ['two'] });
    await eventually('focus in the conversation', () => hasFocus(panel.conversation));
  });

  it('when a session is deleted, or another window deletes it', async () => {
    const panel = await bench.open({ entries: [said('One')] });
    await panel.page.getByRole('button', { name: 'Sessions' }).click();
    await panel.post({ type: 'sessions', sessions: SESSIONS });
    const sheet = panel.page.locator('gantry-sessions');
    await panel.page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).focus();
    await panel.page.keyboard.press('Enter');
    const { id } = await panel.next('deleteSession');
    await panel.post({ type: 'sessions', sessions: SESSIONS.filter((session) => session.id !== id) });
    await eventually('focus in the sheet', () => hasFocus(sheet));
    await panel.post({ type: 'sessions', sessions: [] });
    await panel.page.getByRole('option', { name: 'Release checklist' }).waitFor({ state: 'detached' });
    await eventually('focus in the sheet', () => hasFocus(sheet));
  });

  it('when a sheet is closed, with the key or the button', async () => {
    const panel = await bench.open({ entries: [said('One')] });
    const sessions = panel.page.getByRole('button', { name: 'Sessions' });
    for (const close of ['Escape', 'button']) {
      await sessions.focus();
      await panel.page.keyboard.press('Enter');
      await panel.post({ type: 'sessions', sessions: SESSIONS });
      await panel.page.getByRole('listbox', { name: 'Sessions' }).waitFor();
      if (close === 'Escape') await panel.page.keyboard.press('Escape');
      else await panel.page.locator('gantry-sessions .sheet-head button').first().click();
      await eventually('focus where it came from', () => hasFocus(sessions));
    }
  });

  it('when what a chip shows is removed', async () => {
    const panel = await bench.open({ entries: [said('One')] });
    await panel.post({ type: 'attachments', attachments: [{ id: 'a', kind: 'file', label: 'retry.ts' }] });
    await panel.page.getByRole('button', { name: /Remove retry.ts/ }).focus();
    await panel.page.keyboard.press('Enter');
    await panel.post({ type: 'attachments', attachments: [] });
    await eventually('focus', () => isSomewhere(panel));
  });

  it('when todos, changed files and waiting messages are done', async () => {
    const panel = await bench.open({
      entries: [said('One')],
      state: { todos: [{ description: 'Fix it', status: 'in_progress' }] },
    });
    await panel.page.getByRole('button', { name: 'Show todo list' }).focus();
    await panel.setState({ todos: [] });
    await panel.page.getByRole('button', { name: 'Show todo list' }).waitFor({ state: 'detached' });
    await eventually('focus', () => isSomewhere(panel));
  });
});

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SessionItem } from '../../extension/protocol/panel/sheets-to-panel.ts';
import { said } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

const HOUR = 3_600_000;

const session = (title: string, more: Partial<SessionItem> = {}): SessionItem => ({
  id: title.toLowerCase().replaceAll(' ', '-'),
  title,
  updatedAt: Date.now() - 60_000,
  messages: 6,
  pinned: false,
  current: false,
  ...more,
});

const SESSIONS: readonly SessionItem[] = [
  session('Release checklist', { pinned: true, updatedAt: Date.now() - 72 * HOUR, messages: 22 }),
  session('Flaky upload retry test', { tag: 'needsYou' }),
  session('Move uploads to streams', { tag: 'running', updatedAt: Date.now(), current: true }),
  session('Explain the checksum module', { tag: 'newAnswer', messages: 2 }),
  session('Rename Part to Chunk', { tag: 'otherWindow', updatedAt: Date.now() - 30 * HOUR }),
  session('Generate API docs', { tag: 'stopped', why: 'The API key was refused', updatedAt: Date.now() - 60 * HOUR }),
  session('Streams, second try', { forkOf: 'Move uploads to streams', updatedAt: Date.now() - 90 * HOUR }),
  session('Ferry timetable', { elsewhere: 'ferry-api', updatedAt: Date.now() - 99 * HOUR }),
];

const list = (panel: PanelPage): Locator => panel.page.getByRole('listbox', { name: 'Sessions' });
const option = (panel: PanelPage, name: string): Locator => list(panel).getByRole('option', { name });
const search = (panel: PanelPage): Locator => panel.page.getByRole('combobox', { name: 'Search sessions' });
const act = (panel: PanelPage, name: string): Locator => panel.page.getByRole('toolbar').getByRole('button', { name });
const selected = async (panel: PanelPage, title: string): Promise<void> =>
  panel.page.locator('.session[aria-selected=true] .title', { hasText: title }).waitFor();

describe('the sessions sheet', () => {
  const bench = usePanel();

  const open = async (options: Parameters<typeof bench.open>[0] = {}): Promise<PanelPage> => {
    const panel = await bench.open({ entries: [said('Hello')], ...options });
    await panel.page.getByRole('button', { name: 'Sessions' }).click();
    await panel.next('listSessions');
    await panel.post({ type: 'sessions', sessions: [...SESSIONS] });
    return panel;
  };

  for (const theme of SHOWN_THEMES) {
    it(`has groups for this folder or all, and says in words what each session is at, in ${theme}`, async () => {
      const panel = await open({ theme });
      await list(panel).waitFor();
      const groups = list(panel).getByRole('group');
      assert.equal(await groups.count(), 3);
      for (const [index, name] of ['Pinned', 'Today', 'Earlier'].entries()) {
        assert.equal(await groups.nth(index).locator('.group-title').textContent(), name);
      }
      for (const tag of ['Needs you', 'Running', 'New', 'Other window', 'Stopped']) {
        assert.equal(await list(panel).locator('.tag', { hasText: tag }).count(), 1, tag);
      }
      assert.equal(await list(panel).getByRole('option').count(), 7, 'those of this folder');
      const overflow = await panel.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(overflow <= 0);
      await panel.screenshot(`sessions-${theme}`);
      await panel.page.getByRole('combobox', { name: 'Sessions of' }).selectOption('all');
      await option(panel, 'Ferry timetable').getByText('ferry-api').waitFor();
      assert.deepEqual(panel.complaints, []);
    });
  }

  it('takes the place of the conversation, and gives the focus back', async () => {
    const panel = await open();
    assert.equal(await panel.page.locator('.under').evaluate((under) => under.hasAttribute('inert')), true);
    await eventually('focus in the search', () => search(panel).evaluate((field) => field === document.activeElement));
    await panel.page.keyboard.press('Escape');
    await list(panel).waitFor({ state: 'detached' });
    const button = panel.page.getByRole('button', { name: 'Sessions' });
    await eventually('focus back', () => button.evaluate((one) => one === document.activeElement));
    assert.equal(await panel.message.isVisible(), true);
  });

  it('is moved through with keys, and opens what is selected', async () => {
    const panel = await open();
    await selected(panel, 'Release checklist');
    await search(panel).press('ArrowDown');
    await search(panel).press('ArrowDown');
    await selected(panel, 'Move uploads to streams');
    await search(panel).press('ArrowUp');
    await selected(panel, 'Flaky upload retry test');
    assert.match((await search(panel).getAttribute('aria-activedescendant')) ?? '', /flaky-upload/);
    await search(panel).press('Enter');
    assert.equal((await panel.next('resume')).id, 'flaky-upload-retry-test');
    await list(panel).waitFor({ state: 'detached' });
    await eventually('focus in the input', () => panel.message.evaluate((field) => field === document.activeElement));
  });

  it('opens with a click, and only goes back to the one that is shown', async () => {
    const panel = await open();
    // The name of another one says what it was forked from.
    await option(panel, 'Move uploads to streams').first().click();
    await list(panel).waitFor({ state: 'detached' });
    await panel.page.getByRole('button', { name: 'Sessions' }).click();
    await panel.post({ type: 'sessions', sessions: [...SESSIONS] });
    await option(panel, 'Generate API docs').click();
    assert.equal((await panel.next('resume')).id, 'generate-api-docs');
    assert.equal(panel.received.filter(({ type }) => type === 'resume').length, 1);
  });

  it('pins, forks, exports and deletes the one that is selected', async () => {
    const panel = await open();
    await option(panel, 'Flaky upload retry test').click({ button: 'right' });
    await selected(panel, 'Flaky upload retry test');
    await act(panel, 'Pin').click();
    const id = 'flaky-upload-retry-test';
    assert.deepEqual(await panel.next('pinSession'), { type: 'pinSession', id, pinned: true });
    await act(panel, 'Fork').click();
    assert.equal((await panel.next('forkSession')).id, id);
    await act(panel, 'Export').click();
    assert.equal((await panel.next('exportSession')).id, id);
    await act(panel, 'Delete').click();
    assert.equal((await panel.next('deleteSession')).id, id);
    await panel.post({ type: 'sessions', sessions: SESSIONS.filter((item) => item.id !== id) });
    await selected(panel, 'Move uploads to streams');
  });

  it('does nothing to a session that another window has but read it', async () => {
    const panel = await open();
    await option(panel, 'Rename Part to Chunk').click({ button: 'right' });
    await selected(panel, 'Rename Part to Chunk');
    for (const name of ['Pin', 'Rename', 'Delete'])
      assert.equal(await act(panel, name).getAttribute('aria-disabled'), 'true');
    await search(panel).press('Delete');
    await search(panel).press('F2');
    assert.equal(await panel.page.getByRole('textbox', { name: 'Session name' }).count(), 0);
    assert.equal(
      panel.received.some(({ type }) => type === 'deleteSession'),
      false,
    );
  });

  it('renames in place, and keeps the old name with Escape', async () => {
    const panel = await open();
    const name = panel.page.getByRole('textbox', { name: 'Session name' });
    await search(panel).press('F2');
    await name.fill('Nothing');
    await name.press('Escape');
    await name.waitFor({ state: 'detached' });
    await search(panel).press('F2');
    await panel.screenshot('sessions-rename');
    await name.fill('Checklist');
    await name.press('Enter');
    assert.deepEqual(await panel.next('renameSession'), {
      type: 'renameSession',
      id: 'release-checklist',
      title: 'Checklist',
    });
    assert.equal(panel.received.filter(({ type }) => type === 'renameSession').length, 1);
    await eventually('focus in the search', () => search(panel).evaluate((field) => field === document.activeElement));
  });

  it('searches titles at once, and what was said when the host has looked', async () => {
    const panel = await open();
    await search(panel).fill('stream');
    await eventually('two titles', async () => (await list(panel).getByRole('option').count()) === 2);
    const { ref, query } = await panel.next('searchSessions');
    assert.equal(query, 'stream');
    const hit = { id: 'generate-api-docs', before: '… as a ', match: 'stream', after: ' of bytes' };
    await panel.post({ type: 'sessionsFound', ref, hits: [hit] });
    await eventually('three', async () => (await list(panel).getByRole('option').count()) === 3);
    assert.equal(await list(panel).locator('mark').textContent(), 'stream');
    await panel.screenshot('sessions-search');
    await search(panel).press('Escape');
    assert.equal(await search(panel).inputValue(), '');
    assert.equal(await list(panel).getByRole('option').count(), 7);
  });

  it('searches for what is typed in the list', async () => {
    const panel = await open();
    await list(panel).focus();
    await panel.page.keyboard.type('docs');
    await eventually('one', async () => (await list(panel).getByRole('option').count()) === 1);
    assert.equal(await search(panel).inputValue(), 'docs');
  });

  it('makes room for the input when something is to be said', async () => {
    const panel = await open();
    await panel.post({ type: 'insertText', text: 'About this file' });
    await list(panel).waitFor({ state: 'detached' });
    await eventually('focus in the input', () => panel.message.evaluate((field) => field === document.activeElement));
    assert.equal(await panel.message.inputValue(), 'About this file');
  });
});

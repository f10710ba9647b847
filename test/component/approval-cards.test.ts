import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ApprovalRequest } from '../../extension/protocol/agent/approval.ts';
import type { ReviewEntry } from '../../extension/protocol/panel/panel-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { asking } from '../support/panel/entries.ts';
import { layoutFaults } from '../support/panel/layout.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const SRC = { id: 'src', label: 'src', covers: 'edits in src' };

const asked = (id: string, name: string, details: ApprovalRequest['details'], grants = [SRC]): Entry =>
  asking(name, id, {
    id,
    approval: {
      requestId: id,
      title: details.type === 'edit' ? 'Allow this edit?' : 'Run this command?',
      message: id,
      decisions: ['once', 'session', 'always'],
      request: {
        details,
        why: 'Edits ask in Default mode. Rule write.toml:11 (shipped)',
        grants,
      },
    },
  });

/** An edit that replaces so many lines, between lines that stay. */
function edit(id: string, lines: number, more: { readonly isCut?: boolean } = {}): Entry {
  const numbers = Array.from({ length: lines }, (_, index) => index + 1);
  const patch = [
    `@@ -1,${lines + 2} +1,${lines + 2} @@`,
    ' before',
    ...numbers.map((line) => `-const line${line} = false;`),
    ...numbers.map((line) => `+const line${line} = true;`),
    ' after',
  ].join('\n');
  const file = { path: `src/${id}.ts`, isNew: false, patch, added: lines, removed: lines, ...more };
  return asked(id, 'replace', { type: 'edit', files: [file] });
}

const COMMAND = asked('exec', 'run_shell_command', { type: 'exec', command: 'npm test', folder: '/work' }, [
  { id: 'exact', label: 'npm test', covers: 'exactly this command' },
  { id: 'npm', label: 'npm', covers: 'every `npm` command' },
]);

const LONG_COMMAND = asked('exec', 'run_shell_command', {
  type: 'exec',
  command: Array.from({ length: 60 }, (_, line) => `echo ${line}`).join('\n'),
  folder: '/work',
});

const CLIENT_CALL = asked('client', 'mcp_tools_open_tabs', {
  type: 'mcp',
  server: 'tools',
  tool: 'open_tabs',
  args: '{ "window": 1 }',
  runsInClient: true,
});

describe('the card of an approval', () => {
  const bench = usePanel();
  const button = (panel: PanelPage, name: string): Locator => panel.page.getByRole('button', { name, exact: true });
  const settled = (panel: PanelPage): Promise<void> =>
    panel.page.waitForFunction(() => !document.querySelector('.ask[data-settling]')).then(() => undefined);
  const answers = ({ received }: PanelPage): unknown[] => received.filter(({ type }) => type === 'answer');
  const isGreyed = async (panel: PanelPage): Promise<boolean> =>
    (await button(panel, 'Allow once').getAttribute('aria-disabled')) === 'true';
  const inReview = (requestId: string, isOpen: boolean): ReviewEntry => ({
    id: `${requestId}-${isOpen}`,
    label: 'src/a.ts',
    style: 'proposed',
    isNew: false,
    added: 60,
    removed: 60,
    requestId,
    isOpen,
  });

  it('is small for a small edit, and allows at once what it shows all of', async () => {
    const panel = await bench.open({ width: 300, entries: [edit('a', 1)] });
    await settled(panel);
    const { height = 0 } = (await panel.page.locator('.ask').boundingBox()) ?? {};
    assert.ok(height <= 160, `${height} px`);
    assert.equal(await isGreyed(panel), false);
    await button(panel, 'Allow once').click();
    assert.deepEqual(await panel.next('answer'), { type: 'answer', requestId: 'a', decision: 'once' });
  });

  for (const [what, entry] of [
    ['longer than it', edit('a', 60)],
    ['too long for any card', edit('a', 60, { isCut: true })],
  ] as const) {
    it(`allows an edit that is ${what} as long as its diff is open`, async () => {
      const panel = await bench.open({ width: 300, entries: [entry] });
      await settled(panel);
      const gate = panel.conversation.getByText(/Open the diff/);
      const says = (...items: ReviewEntry[]): Promise<void> => panel.post({ type: 'review', items });
      await gate.waitFor();
      await button(panel, 'Allow once').click({ force: true });
      // That of another question, and one of its two files.
      await says(inReview('b', true));
      await says(inReview('a', true), inReview('a', false));
      await gate.waitFor();
      assert.deepEqual([await isGreyed(panel), answers(panel)], [true, []]);
      await says(inReview('a', true));
      await gate.waitFor({ state: 'detached' });
      await says(inReview('a', false));
      await gate.waitFor();
      await says(inReview('a', true));
      await gate.waitFor({ state: 'detached' });
      await button(panel, 'Allow once').click();
      assert.deepEqual(await panel.next('answer'), { type: 'answer', requestId: 'a', decision: 'once' });
    });
  }

  it('says who answers a call that a program runs', async () => {
    const panel = await bench.open({ width: 300, entries: [CLIENT_CALL] });
    await panel.conversation
      .getByText('The program that gave this task runs this call and sends the result.')
      .waitFor();
    assert.equal(await panel.conversation.getByText('of the server').count(), 0);
  });

  it('has a command that is longer than it read to its end before any answer, whatever is open', async () => {
    const panel = await bench.open({ width: 300, entries: [LONG_COMMAND] });
    await settled(panel);
    await panel.post({ type: 'review', items: [inReview('exec', true)] });
    const gate = panel.conversation.getByText('Scroll to the end to allow.');
    await gate.waitFor();
    await button(panel, 'Allow once').click({ force: true });
    assert.deepEqual([await isGreyed(panel), answers(panel)], [true, []]);
    await button(panel, 'More ways to allow').click();
    await item(panel, 'Allow for this session').click({ force: true });
    assert.equal(await focus(panel), 'Command');
    assert.deepEqual(answers(panel), []);
    await panel.page
      .getByRole('group', { name: 'Command', exact: true })
      .evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await gate.waitFor({ state: 'detached' });
    await button(panel, 'Allow once').click();
    assert.equal((await panel.next('answer')).decision, 'once');
  });

  const item = (panel: PanelPage, name: string): Locator =>
    panel.page.getByRole('menu').getByRole('menuitem', { name, exact: true });
  const focus = (panel: PanelPage): Promise<string> =>
    panel.page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent?.trim() ?? '');

  it('has wider answers in a menu, which keys open and close', async () => {
    const panel = await bench.open({ width: 300, entries: [COMMAND] });
    const { keyboard } = panel.page;
    await settled(panel);
    await button(panel, 'Allow once').focus();
    await keyboard.press('ArrowDown');
    const menu = panel.page.getByRole('menu', { name: 'More ways to allow' });
    await menu.waitFor();
    assert.equal(await focus(panel), 'Allow for this session');
    await keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    assert.equal(await focus(panel), 'More ways to allow');
    await keyboard.press('Enter');
    await menu.waitFor();
    const walked: string[] = [];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home']) {
      await keyboard.press(key);
      walked.push(await focus(panel));
    }
    assert.deepEqual(walked, [
      'Always allow',
      'Write a rule for this…',
      'exactly this command',
      'every npm command',
      'in every folder',
      'Allow for this session',
      'in every folder',
      'Allow for this session',
    ]);
    await keyboard.press('Tab');
    await menu.waitFor({ state: 'detached' });
    assert.equal(await focus(panel), 'Reject');
    assert.deepEqual(answers(panel), []);
  });

  it('says in the menu what a wider answer covers, and gives that', async () => {
    const panel = await bench.open({ width: 300, entries: [COMMAND] });
    await settled(panel);
    await button(panel, 'More ways to allow').click();
    const always = item(panel, 'Always allow');
    const covers = (words: string): Locator => always.getByText(words, { exact: true });
    await covers('exactly this command · in this folder').waitFor();
    await panel.page.getByRole('menuitemradio', { name: 'every npm command' }).click();
    await panel.page.getByRole('menuitemradio', { name: 'in every folder' }).click();
    await covers('every npm command · in every folder').waitFor();
    await always.click();
    const answer = { type: 'answer', requestId: 'exec', decision: 'always', grant: 'npm', scope: 'user' };
    assert.deepEqual(await panel.next('answer'), answer);
  });

  it('leads to a rule about the call, without an answer', async () => {
    const panel = await bench.open({ width: 300, entries: [COMMAND] });
    await settled(panel);
    await button(panel, 'More ways to allow').click();
    await item(panel, 'Write a rule for this…').click();
    assert.deepEqual(await panel.next('writeRule'), { type: 'writeRule', requestId: 'exec' });
    assert.deepEqual(answers(panel), []);
    await button(panel, 'Allow once').click();
    assert.equal((await panel.next('answer')).decision, 'once');
  });

  it('is rejected with a reason from its menu', async () => {
    const panel = await bench.open({ width: 300, entries: [COMMAND] });
    await settled(panel);
    await button(panel, 'More ways to reject').click();
    await item(panel, 'Reject with a reason…').click();
    await panel.page.keyboard.type('Not now');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await panel.next('answer'), { type: 'answer', requestId: 'exec', reason: 'Not now' });
  });

  it('has one answer for all edits of a step, but not for a single one, when each was read or is open', async () => {
    const panel = await bench.open({ width: 300, height: 900, entries: [COMMAND, edit('a', 1)] });
    await settled(panel);
    const all = button(panel, 'Allow all 2 edits');
    assert.equal(await panel.page.getByRole('button', { name: /^Allow all/ }).count(), 0);
    await panel.show([edit('a', 1), edit('b', 60)]);
    await all.waitFor();
    await settled(panel);
    await all.click();
    assert.equal(await focus(panel), 'Changes to src/b.ts');
    assert.deepEqual(answers(panel), []);
    await panel.post({ type: 'review', items: [inReview('b', true)] });
    await panel.conversation.getByText(/Open the diff/).waitFor({ state: 'detached' });
    await all.click();
    for (const requestId of ['a', 'b'])
      assert.deepEqual(await panel.next('answer'), { type: 'answer', requestId, decision: 'once' });
  });

  for (const theme of SHOWN_THEMES) {
    it(`and its menu are all there in ${theme}`, async () => {
      const entries = [edit('retry', 1), edit('upload', 2), COMMAND];
      const panel = await bench.open({ theme, width: 300, height: 760, entries });
      await settled(panel);
      await panel.screenshot(`approval-cards-${theme}`);
      await button(panel, 'More ways to allow').last().click();
      await item(panel, 'Always allow').waitFor();
      await panel.screenshot(`approval-menu-${theme}`);
      assert.deepEqual(await panel.page.evaluate(layoutFaults), []);
      assert.deepEqual(panel.complaints, []);
    });
  }
});

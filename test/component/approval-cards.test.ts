import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ApprovalRequest } from '../../extension/protocol/agent/approval.ts';
import type { ReviewEntry } from '../../extension/protocol/panel/panel-messages.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { asking } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const asked = (id: string, name: string, details: ApprovalRequest['details']): Entry =>
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
        grants: [{ id: 'src', label: 'src', covers: 'edits in src' }],
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

const LONG_COMMAND = asked('exec', 'run_shell_command', {
  type: 'exec',
  command: Array.from({ length: 60 }, (_, line) => `echo ${line}`).join('\n'),
  folder: '/work',
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

  it('allows an edit at once that it shows all of', async () => {
    const panel = await bench.open({ width: 300, entries: [edit('a', 1)] });
    await settled(panel);
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

  it('has a command that is longer than it read to its end, whatever is open', async () => {
    const panel = await bench.open({ width: 300, entries: [LONG_COMMAND] });
    await settled(panel);
    await panel.post({ type: 'review', items: [inReview('exec', true)] });
    const gate = panel.conversation.getByText('Scroll to the end to allow.');
    await gate.waitFor();
    await button(panel, 'Allow once').click({ force: true });
    assert.deepEqual([await isGreyed(panel), answers(panel)], [true, []]);
    await panel.page
      .getByRole('group', { name: 'Command', exact: true })
      .evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await gate.waitFor({ state: 'detached' });
    await button(panel, 'Allow once').click();
    assert.equal((await panel.next('answer')).decision, 'once');
  });
});

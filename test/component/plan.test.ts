import assert from 'node:assert/strict';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { answered, said, tool } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const PLAN = `1. Add \`PartStream\` beside \`Part\` and read from it in upload.ts.
2. Keep \`Part.buffer\` as a getter that drains the stream.
3. Move the 2 GB fixture to a generated stream.

Leaves the public signature alone.
`;

function asked(text = PLAN): Entry {
  return tool('exit_plan_mode', {
    subject: 'streams.md',
    status: 'running',
    approval: {
      requestId: 'plan-1',
      title: 'Carry out this plan?',
      message: 'Exit Plan Mode: streams.md',
      decisions: ['once'],
      request: { details: { type: 'plan', path: '/plans/streams.md', text }, why: '', grants: [] },
    },
  });
}

describe('a plan that requires approval', () => {
  const bench = usePanel();
  const entries = [said('Move uploads to streams'), answered('Here is how I would do it.')];
  const button = (panel: PanelPage, name: string) => panel.page.getByRole('button', { name, exact: true });
  const field = (panel: PanelPage) => panel.page.getByRole('textbox', { name: 'Edit plan' });
  const plan = (panel: PanelPage) => panel.page.getByRole('group', { name: 'Plan', exact: true });

  for (const theme of SHOWN_THEMES) {
    it(`is approved as the reader changed it, in ${theme}`, async () => {
      const panel = await bench.open({ theme, entries: [...entries, asked()] });
      await button(panel, 'Approve with AutoEdit').waitFor();
      await panel.screenshot(`plan-${theme}`);
      await button(panel, 'Edit plan').click();
      assert.equal(await field(panel).inputValue(), PLAN);
      await panel.screenshot(`plan-edit-${theme}`);
      await field(panel).fill('1. Only the fixture.\n');
      await button(panel, 'Done').click();
      await panel.page.getByText('Changed by you. Approve uses this text.').waitFor();
      assert.equal((await plan(panel).innerText()).trim(), 'Only the fixture.');
      await panel.screenshot(`plan-edited-${theme}`);
      await button(panel, 'Approve with AutoEdit').click();
      assert.deepEqual(await panel.next('answer'), {
        type: 'answer',
        requestId: 'plan-1',
        decision: 'once',
        approvalMode: 'autoEdit',
        plan: '1. Only the fixture.\n',
      });
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('opens in an editor, waits on, and is approved as it was proposed', async () => {
    const panel = await bench.open({ entries: [asked()] });
    await button(panel, 'Open plan').click();
    assert.deepEqual(await panel.next('openPlan'), { type: 'openPlan', requestId: 'plan-1' });
    await button(panel, 'Approve').waitFor();
    assert.equal(panel.received.filter(({ type }) => type === 'answer').length, 0);
    await button(panel, 'Approve').click();
    assert.deepEqual(await panel.next('answer'), {
      type: 'answer',
      requestId: 'plan-1',
      decision: 'once',
      approvalMode: 'default',
    });
  });

  it('takes no answer while it is being changed: Ctrl+Enter ends that, and shows the plan', async () => {
    const panel = await bench.open({ entries: [asked()] });
    await button(panel, 'Edit plan').click();
    assert.equal(await button(panel, 'Approve').count(), 0);
    await field(panel).press('Control+End');
    await field(panel).pressSequentially('4. Measure.');
    await field(panel).press('Enter');
    await field(panel).press('Control+Enter');
    await plan(panel).getByText('Measure.').waitFor();
    assert.ok(await plan(panel).evaluate((element) => element === document.activeElement), 'focus is on the plan');
    assert.deepEqual(
      panel.received.filter(({ type }) => type === 'answer'),
      [],
    );
    await panel.page.keyboard.press('Control+Enter');
    assert.match((await panel.next('answer')).plan ?? '', /signature alone\.\n4\. Measure\.\n$/);
  });

  it('is as it was proposed after its changes were discarded', async () => {
    const panel = await bench.open({ entries: [asked()] });
    await button(panel, 'Edit plan').click();
    await field(panel).fill('Nothing of it');
    await button(panel, 'Discard changes').click();
    await plan(panel).getByText('Leaves the public signature alone.').waitFor();
    await button(panel, 'Approve').click();
    assert.equal((await panel.next('answer')).plan, undefined);
  });

  it('keeps what was typed when its page goes and comes again', async () => {
    const panel = await bench.open({ entries: [asked()] });
    await button(panel, 'Edit plan').click();
    await field(panel).fill('1. Mine.');
    await panel.page.waitForFunction(() => sessionStorage.getItem('vscode-state')?.includes('1. Mine.'));
    await panel.reload();
    await plan(panel).getByText('Mine.').waitFor();
    await panel.page.getByText('Changed by you. Approve uses this text.').waitFor();
  });

  it('has to be read to its end again when it was changed', async () => {
    const panel = await bench.open({ height: 900, entries: [asked()] });
    await button(panel, 'Edit plan').click();
    await field(panel).fill(Array.from({ length: 60 }, (_, index) => `${index + 1}. Step`).join('\n'));
    await button(panel, 'Done').click();
    const gate = panel.conversation.getByText('Scroll to the end to allow.');
    await gate.waitFor();
    await button(panel, 'Approve').click({ force: true });
    assert.equal(panel.received.filter(({ type }) => type === 'answer').length, 0);
    await plan(panel).evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await gate.waitFor({ state: 'detached' });
    await button(panel, 'Approve').click();
    assert.match((await panel.next('answer')).plan ?? '', /60\. Step$/);
  });

  it('is rejected with words, and without what was changed', async () => {
    const panel = await bench.open({ entries: [asked()] });
    await button(panel, 'Edit plan').click();
    await field(panel).fill('1. Mine.');
    await button(panel, 'Done').click();
    await button(panel, 'Reject').click();
    await panel.page.getByRole('textbox', { name: 'Why not' }).fill('Not now');
    await button(panel, 'Reject').click();
    assert.deepEqual(await panel.next('answer'), { type: 'answer', requestId: 'plan-1', reason: 'Not now' });
  });
});

import assert from 'node:assert/strict';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { answered, asking, investigating, said, thought, tool } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { ToldConversation } from '../support/panel/told-conversation.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const CALL = {
  ...investigating({
    steps: [{ id: '2', name: 'read_file', subject: 'src/net/checksum.ts', summary: '', status: 'success' }],
    words: '',
    thoughts: '',
  }),
  id: 'call',
};

const STEPS: readonly Entry[] = [
  thought('**Looking for readers**\n\nFirst the references.', { id: 'th' }),
  tool('find_references', { id: 'r', subject: 'Part.buffer', summary: '7' }),
  tool('read_file', { id: 'f', subject: 'src/net/checksum.ts', summary: '1–118' }),
  answered('Checksum and encryption both need the **whole part** in memory.', { id: 'w' }),
];

describe('the thread of a subagent', () => {
  const bench = usePanel();
  const sheet = (panel: PanelPage) => panel.page.getByRole('region', { name: 'Thread' });
  const log = (panel: PanelPage) => panel.page.getByRole('log', { name: 'Thread' });

  /** Opens it as the host tells of it. */
  async function opened(panel: PanelPage, entries: readonly Entry[]): Promise<ToldConversation> {
    await panel.page.getByRole('button', { name: 'Open thread' }).click();
    const { threadId } = await panel.next('openThread');
    const told = new ToldConversation(entries, (message) => {
      if (message.type === 'transcript' || message.type === 'changes' || message.type === 'window')
        void panel.post({ type: 'thread', threadId, told: message });
    });
    told.feed.open();
    return told;
  }

  for (const theme of SHOWN_THEMES) {
    it(`is a sheet with all that it did, in ${theme}`, async () => {
      const panel = await bench.open({ theme, entries: [said('Move uploads'), CALL], state: { running: true } });
      await opened(panel, STEPS);
      await log(panel).getByText('whole part').waitFor();
      assert.deepEqual(await log(panel).getByRole('article').count(), 3);
      await sheet(panel).getByText('codebase_investigator · turn 6 of 50').waitFor();
      await panel.screenshot(`thread-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('continues under the eyes of its reader, and is left as it was entered', async () => {
    const panel = await bench.open({ entries: [said('Move uploads'), CALL], state: { running: true } });
    const told = await opened(panel, STEPS);
    told.change({ op: 'put', entry: answered('And', { id: 'x', state: 'streaming' }) });
    await log(panel).getByText('And', { exact: true }).waitFor();
    told.change({ op: 'append', id: 'x', text: ' nobody else.' });
    await log(panel).getByText('And nobody else.').waitFor();
    await panel.put({ ...CALL, status: 'success', tookMs: 120_000, agent: { ...CALL.agent, turns: 6 } as never });
    await sheet(panel).getByText('done in 6 turns').waitFor();
    assert.equal(await sheet(panel).getByRole('button', { name: 'Stop' }).count(), 0);
    await panel.page.keyboard.press('Escape');
    await panel.next('closeThread');
    const open = panel.page.getByRole('button', { name: 'Open thread' });
    assert.ok(await open.evaluate((button) => button === document.activeElement), 'focus is back on its button');
  });

  it('is stopped from its sheet', async () => {
    const panel = await bench.open({ entries: [CALL], state: { running: true } });
    await opened(panel, STEPS);
    await sheet(panel).getByRole('button', { name: 'Stop' }).click();
    assert.deepEqual(await panel.next('stopAgent'), { type: 'stopAgent', callId: 'call' });
  });

  it('opens as a session, at work and at its end', async () => {
    const panel = await bench.open({ entries: [CALL], state: { running: true } });
    await opened(panel, STEPS);
    await sheet(panel).getByRole('button', { name: 'Open as session' }).click();
    assert.deepEqual(await panel.next('resume'), { type: 'resume', id: 't1' });
    await panel.next('closeThread');
    assert.equal(await sheet(panel).count(), 0);
    await panel.put({ ...CALL, status: 'cancelled' });
    await panel.page.getByRole('button', { name: 'Open thread' }).click();
    await sheet(panel).getByRole('button', { name: 'Open as session' }).click();
    assert.deepEqual(await panel.next('resume'), { type: 'resume', id: 't1' });
  });

  it('says on a question whose it is, also to those who hear it', async () => {
    const command = asking('run_shell_command', 'node bench.js', { id: 'ask' });
    const approval = {
      ...command.approval,
      requestId: 'ask-ask',
      title: 'Run this command?',
      message: 'node bench.js',
      decisions: ['once'],
      request: {
        details: { type: 'exec' as const, command: 'node bench.js', folder: '/w' },
        why: '',
        grants: [],
        agent: 'codebase_investigator',
      },
    };
    const panel = await bench.open({ entries: [CALL, { ...command, approval }], state: { running: true } });
    const card = panel.page.getByRole('group', { name: 'Run this command? Asked by the agent codebase_investigator' });
    await card.getByText('Agent codebase_investigator').waitFor();
    await card.getByRole('button', { name: 'Allow once' }).click();
    assert.equal((await panel.next('answer')).requestId, 'ask-ask');
    assert.deepEqual(panel.complaints, []);
  });

  it('asks for entries of its own, however long it is, and leaves the place in the conversation alone', async () => {
    const panel = await bench.open({ entries: [CALL], state: { running: true } });
    const told = await opened(panel, longConversation(2000));
    await log(panel).getByRole('article').first().waitFor();
    await log(panel).focus();
    await panel.page.keyboard.press('Home');
    const { around } = await panel.next('threadWindow');
    assert.equal(around, 0);
    told.feed.show(around);
    await log(panel).getByRole('article').first().waitFor();
    assert.equal(panel.received.filter(({ type }) => type === 'window').length, 0);
    await panel.page.keyboard.press('Escape');
    await panel.next('closeThread');
    await panel.conversation.waitFor();
  });

  it('answers what it asks, too', async () => {
    const panel = await bench.open({ entries: [CALL], state: { running: true } });
    await opened(panel, [...STEPS, asking('run_shell_command', 'node bench.js', { id: 'ask' })]);
    await log(panel).getByRole('button', { name: 'Allow once' }).click();
    assert.equal((await panel.next('answer')).requestId, 'ask-ask');
  });

  it('is closed when another conversation is shown', async () => {
    const panel = await bench.open({ entries: [CALL], state: { running: true } });
    await opened(panel, STEPS);
    await log(panel).waitFor();
    await panel.show([said('Another one')]);
    await panel.conversation.getByText('Another one').waitFor();
    assert.equal(await sheet(panel).count(), 0);
  });

  it('that an earlier page has opened is reported no more', async () => {
    const panel = await bench.open({ entries: [CALL] });
    await panel.post({ type: 'thread', threadId: 't1', told: { type: 'window', total: 0, start: 0, entries: [] } });
    await panel.next('closeThread');
  });
});

import assert from 'node:assert/strict';
import { answered, asking, said, tool } from '../support/panel/entries.ts';
import { layoutFaults } from '../support/panel/layout.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const BLOCKED = tool('run_shell_command', {
  id: 'call-1',
  subject: 'pip install -r requirements.txt && npm config set fund false',
  summary: 'exit 1',
  detail: 'OSError: [Errno 30] Read-only file system',
  command: {
    state: 'ended',
    durationMs: 1200,
    confinedBy: 'bubblewrap',
    blocked: {
      paths: ['/home/me/.cache/pip/wheels/0a/1b/2c', '/home/me/.npmrc'],
      hosts: ['registry.npmjs.org'],
      closedHosts: ['ssh.github.com'],
      folders: ['/home/me/.cache/pip'],
    },
  },
});

const OFFER = asking('run_shell_command', 'npm test', {
  approval: {
    requestId: 'ask-1',
    title: 'Run this command?',
    message: 'npm test',
    decisions: ['once'],
    request: {
      details: { type: 'exec', command: 'npm test', folder: '/home/me/project', sandbox: 'inside' },
      why: '',
      grants: [],
      offersAutoAllow: true,
    },
  },
});

const ENTRIES = [said('Install it and run the tests'), BLOCKED, OFFER];

describe('the sandbox, on the cards of commands', () => {
  const bench = usePanel();

  for (const theme of SHOWN_THEMES) {
    it(`says what it blocked, and what can be done about that, in ${theme}`, async () => {
      const panel = await bench.open({ theme, width: 300, height: 1100, entries: ENTRIES });
      const card = panel.page.getByRole('article', { name: 'Tool: run_shell_command' }).first();
      await card.getByRole('img', { name: /^In the sandbox \(bubblewrap\): the command can change only/ }).waitFor();
      const block = card.getByRole('group', { name: `Blocked by the sandbox: ${BLOCKED.subject}` });
      await block.getByText('/home/me/.npmrc').waitFor();
      await block.getByText("You can't allow it here").waitFor();
      await block.getByText("It can't be opened: hosts are").waitFor();
      await panel.screenshot(`sandbox-cards-${theme}`);
      assert.deepEqual(await panel.page.evaluate(layoutFaults), []);

      // Only places on the card are told: the host knows what is there.
      const allow = { type: 'allowBlocked', callId: 'call-1' };
      await block.getByRole('button', { name: 'Allow the folder /home/me/.cache/pip for this session' }).click();
      assert.deepEqual(await panel.next('allowBlocked'), { ...allow, kind: 'folder', index: 0, always: false });
      await block.getByRole('button', { name: 'Always allow the host registry.npmjs.org' }).press('Enter');
      assert.deepEqual(await panel.next('allowBlocked'), { ...allow, kind: 'host', index: 0, always: true });
      await block.getByRole('button', { name: 'Run outside the sandbox…' }).click();
      assert.deepEqual(await panel.next('runOutside'), { type: 'runOutside', callId: 'call-1' });

      const { command } = BLOCKED;
      const allowed = [
        { what: '/home/me/.cache/pip', always: false },
        { what: 'registry.npmjs.org', always: true },
      ];
      await panel.put({ ...BLOCKED, ...(command && { command: { ...command, allowed } }) });
      await block.getByText('Allowed for this session: /home/me/.cache/pip').waitFor();
      await block.getByText('Always allowed: registry.npmjs.org').waitFor();
      assert.equal(await block.getByRole('button', { name: /^Allow|^Always/ }).count(), 0);
      await panel.screenshot(`sandbox-cards-allowed-${theme}`);
      assert.deepEqual(await panel.page.evaluate(layoutFaults), []);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('offers once to ask no more, after the answers to what is asked', async () => {
    const panel = await bench.open({ width: 300, height: 900, entries: [said('Run the tests'), OFFER] });
    const offer = panel.page.getByRole('group', { name: 'Fewer approvals' });
    await offer.getByText('gantry.sandbox.autoAllow').waitFor();
    await offer.getByRole('button', { name: 'Yes, and run this' }).click();
    assert.deepEqual(await panel.next('answerOffer'), { type: 'answerOffer', requestId: 'ask-1', accepted: true });

    await panel.put({ ...OFFER, approval: { ...OFFER.approval, requestId: 'ask-2' } as typeof OFFER.approval });
    await offer.getByRole('button', { name: 'No thanks' }).click();
    assert.deepEqual(await panel.next('answerOffer'), { type: 'answerOffer', requestId: 'ask-2', accepted: false });
    await offer.waitFor({ state: 'detached' });
    // The question stays, and its first button is the narrowest yes.
    await panel.page.keyboard.press('Tab');
    await panel.page.keyboard.press('Enter');
    assert.equal((await panel.next('answer')).decision, 'once');
    await panel.put(answered('Done.'));
  });
});

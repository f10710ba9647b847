import assert from 'node:assert/strict';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { answered, investigating, said, tool } from '../support/panel/entries.ts';
import { layoutFaults } from '../support/panel/layout.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const SEARCH = tool('grep_search', {
  subject: "'withRetry\\('",
  summary: '3 matches in 2 files',
  detail: [
    'Found 3 matches in 2 files for "withRetry\\(" in the workspace.',
    '---',
    'File: src/net/upload.ts',
    'L31:   return withRetry(() => put(part), {',
    'L58:   await withRetry(() => commit(id), {',
    'File: src/net/retry.ts',
    'L22: export async function withRetry(',
    '---',
  ].join('\n'),
});

const WEB = tool('google_web_search', {
  subject: 'vitest fake timers abort signal',
  summary: '2 sources',
  detail:
    '[1] Timer mocks (https://vitest.dev/guide/mocking)\n[2] AbortSignal.timeout (https://developer.mozilla.org/x)',
});

const AGENT = investigating();

const USAGE: Entry = {
  kind: 'usage',
  id: 'usage-1',
  inputTokens: 38_200,
  outputTokens: 1100,
  seconds: 14,
  cost: { amount: 0.0312, currency: 'USD' },
  at: Date.now(),
};

const TODOS = [
  { description: 'Map every reader of Part.buffer', status: 'completed' },
  { description: 'Agree on limits and Node versions', status: 'in_progress' },
  { description: 'Replace the buffer with a stream', status: 'pending' },
  { description: 'Resume test', status: 'blocked' },
] as const;

describe('what tools did', () => {
  const bench = usePanel();
  const entries = [
    said('Go on', { at: Date.now() }),
    SEARCH,
    WEB,
    tool('mcp_jira_get_issue', { subject: 'UP-412' }),
    AGENT,
    answered('Done.'),
    USAGE,
  ];

  for (const theme of SHOWN_THEMES) {
    it(`is told in ${theme}`, async () => {
      const panel = await bench.open({ theme, height: 900, entries, state: { todos: [...TODOS] } });
      for (const name of ['grep_search', 'google_web_search']) {
        await panel.page
          .getByRole('article', { name: `Tool: ${name}` })
          .getByRole('button', { name: 'Show details' })
          .click();
      }
      await panel.page.getByRole('button', { name: 'Show todo list' }).click();
      await panel.screenshot(`tool-cards-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('leads to the terminal of a finished command as often as it is wanted, as long as there is one', async () => {
    const command = { state: 'ended' as const, durationMs: 1200 };
    const ran = (id: string) => tool('run_shell_command', { id, subject: id, summary: 'exit 0', command });
    const panel = await bench.open({
      width: 300,
      entries: [ran('npm test'), ran('ls')],
      state: { terminals: ['npm test'] },
    });
    const open = panel.page.getByRole('button', { name: 'Open terminal of npm test' });
    for (let press = 0; press < 2; press++) {
      await open.click();
      assert.deepEqual(await panel.next('openTerminal'), { type: 'openTerminal', callId: 'npm test' });
    }
    assert.equal(await panel.page.getByRole('button', { name: /^Open terminal of/ }).count(), 1);
    assert.deepEqual(await panel.page.evaluate(layoutFaults), []);
    await panel.screenshot('finished-command-300');
    await panel.setState({ terminals: [] });
    await open.waitFor({ state: 'detached' });
  });

  it('leads from a match to its line, and from a source to its address', async () => {
    const panel = await bench.open({ entries: [SEARCH, WEB] });
    for (const { name } of [SEARCH, WEB]) {
      await panel.page
        .getByRole('article', { name: `Tool: ${name}` })
        .getByRole('button', { name: 'Show details' })
        .click();
    }
    await panel.page.getByRole('link', { name: /commit\(id\)/ }).click();
    assert.deepEqual(await panel.next('openFile'), { type: 'openFile', path: 'src/net/upload.ts', line: 58 });
    await panel.page.getByRole('link', { name: /Timer mocks/ }).click();
    assert.deepEqual(await panel.next('openLink'), { type: 'openLink', url: 'https://vitest.dev/guide/mocking' });
    assert.equal(await panel.page.locator('mark').first().textContent(), 'withRetry(');
  });

  it('says how far the plan is, and what is next, on one line', async () => {
    const panel = await bench.open({ entries: [said('Go')], state: { todos: [...TODOS] } });
    await panel.page.getByText('1 of 4').waitFor();
    await panel.page.getByText('Agree on limits').waitFor();
    await panel.page.getByRole('button', { name: 'Show todo list' }).click();
    assert.equal(await panel.page.getByRole('list', { name: 'Todo' }).getByRole('listitem').count(), 4);
  });

  it('ends with what the turn took, and with its answer to copy or to have again', async () => {
    const panel = await bench.open({ entries: [said('Go'), answered('Done.'), USAGE] });
    await panel.page.getByText('38k in · 1.1k out').waitFor();
    await panel.page.getByText('$0.03').waitFor();
    await panel.page.getByRole('button', { name: 'Copy answer as Markdown' }).click();
    assert.deepEqual(await panel.next('copyTurn'), { type: 'copyTurn', id: 'usage-1' });
    await panel.page.getByRole('button', { name: 'Try again' }).click();
    await panel.next('tryAgain');
    await panel.put(said('And then?'));
    assert.equal(await panel.page.getByRole('button', { name: 'Try again' }).count(), 0);
  });

  it('stops a subagent by itself', async () => {
    const panel = await bench.open({ entries: [said('Go'), AGENT], state: { running: true } });
    await panel.page.getByRole('button', { name: 'Stop codebase_investigator' }).click();
    assert.deepEqual(await panel.next('stopAgent'), { type: 'stopAgent', callId: AGENT.id });
    await panel.put({ ...AGENT, status: 'cancelled', tookMs: 109_000 });
    await panel.page.getByText('stopped after 5 turns').waitFor();
    assert.equal(await panel.page.getByRole('button', { name: 'Stop codebase_investigator' }).count(), 0);
  });

  it('says nothing of turns and tokens of an agent that runs elsewhere, because nobody knows them', async () => {
    const elsewhere = investigating({ name: 'prices', turns: 0, maxTurns: undefined, tokens: 0, model: undefined });
    const panel = await bench.open({ entries: [said('Go'), { ...elsewhere, status: 'success' }] });
    const card = panel.page.getByRole('article', { name: 'Tool: invoke_agent' });
    await card.getByText('prices · done', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Show thread' }).click();
    await card.getByRole('button', { name: 'Open thread' }).waitFor();
    assert.equal(await card.getByText('tokens').count(), 0);
  });

  it('shows what a subagent does as long as it works and nobody closes it, and then only when it is opened', async () => {
    const panel = await bench.open({ entries: [said('Go'), AGENT], state: { running: true } });
    const card = panel.page.getByRole('article', { name: 'Tool: invoke_agent' });
    const body = card.locator('.agent-body');
    await body.waitFor();
    await card.getByRole('button', { name: 'Hide thread' }).click();
    await body.waitFor({ state: 'detached' });
    await panel.put({ ...AGENT, status: 'success', tookMs: 109_000 });
    await panel.page.getByText('done in 5 turns').waitFor();
    assert.equal(await body.count(), 0);
    await card.getByRole('button', { name: 'Show thread' }).click();
    await body.waitFor();
  });
});

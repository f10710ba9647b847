import assert from 'node:assert/strict';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { answered, noted, said, tool } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const AT = Date.UTC(2026, 1, 3, 10, 42);

const COMPACTED: Entry = {
  kind: 'compacted',
  id: 'c',
  trigger: 'auto',
  at: AT,
  tokensBefore: 480_000,
  tokensAfter: 61_000,
  summary: 'The upload waits for the clock.',
};

const FAILED: Entry = {
  kind: 'problem',
  id: 'p',
  problem: {
    kind: 'auth',
    title: 'The API key was refused',
    detail: 'It comes from GEMINI_API_KEY. Your message is kept.',
    actions: ['retry', 'switch-model', 'set-api-key', 'show-log'],
  },
};

const TOUCHED: Extract<Entry, { kind: 'protected' }> = {
  kind: 'protected',
  id: 't',
  change: 'touched',
  command: 'npm run build',
  files: [
    {
      path: '/w/.vscode/settings.json',
      name: '.vscode/settings.json',
      what: 'settings of an editor',
      how: 'changed',
      restorable: true,
      state: 'there',
    },
  ],
};

describe('what happens beside the words', () => {
  const bench = usePanel();
  const button = (panel: PanelPage, name: string) => panel.page.getByRole('button', { name, exact: true });

  for (const theme of SHOWN_THEMES) {
    it(`is said in quiet lines, and loudly where it went wrong, in ${theme}`, async () => {
      const panel = await bench.open({
        theme,
        entries: [
          said('Make it fast', { at: AT }),
          noted('AutoEdit on: files change without asking', { quiet: true }),
          noted('Switched from gemini-2.5-pro to gemini-2.5-flash: it is over its limit for this minute'),
          COMPACTED,
          answered('On it.'),
          TOUCHED,
          FAILED,
        ],
      });
      await panel.page.getByText('AutoEdit on').waitFor();
      await panel.page.getByRole('alert').getByText('The API key was refused').waitFor();
      await panel.screenshot(`quiet-lines-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('offers what can be done about an error, as long as that means something', async () => {
    const panel = await bench.open({ entries: [said('Go'), FAILED] });
    await button(panel, 'Retry').click();
    await panel.next('retry');
    await button(panel, 'Switch model').click();
    await panel.next('selectModel');
    await button(panel, 'Set API key').click();
    await panel.next('setApiKey');
    await button(panel, 'Show log').click();
    await panel.next('showLog');
    await panel.put(said('Again'));
    await panel.page.getByRole('alert').waitFor({ state: 'detached' });
    await panel.conversation.getByText('The API key was refused').waitFor();
    assert.equal(await button(panel, 'Retry').count(), 0);
  });

  it('offers to put back a protected file that a command changed, until it is', async () => {
    const panel = await bench.open({ entries: [said('Go'), TOUCHED, said('Again')] });
    const alert = panel.page.getByRole('alert');
    await alert.getByText('It happened while "npm run build" ran, and nobody approved it.').waitFor();
    const change = { change: 'touched', path: '/w/.vscode/settings.json' };
    await button(panel, 'Show change').click();
    assert.deepEqual(await panel.next('showProtectedChange'), { type: 'showProtectedChange', ...change });
    await alert.getByRole('link', { name: '.vscode/settings.json' }).press('Enter');
    assert.deepEqual(await panel.next('showProtectedChange'), { type: 'showProtectedChange', ...change });
    await button(panel, 'Put it back').press('Enter');
    assert.deepEqual(await panel.next('putBack'), { type: 'putBack', change: 'touched' });
    const as = (state: 'again' | 'back'): Entry => ({
      ...TOUCHED,
      files: TOUCHED.files.map((file) => ({ ...file, state })),
    });
    await panel.put(as('again'));
    await alert.getByText('changed again since then, so it was kept').waitFor();
    assert.equal(await button(panel, 'Put it back').count(), 0);
    await panel.put(as('back'));
    await alert.waitFor({ state: 'detached' });
    await panel.conversation.getByText('Put back: .vscode/settings.json').waitFor();
  });

  it('opens what was compacted, and its summary in an editor', async () => {
    const panel = await bench.open({ entries: [said('Go'), COMPACTED] });
    await button(panel, 'Show what was compacted').click();
    await panel.page.getByText('The upload waits for the clock.').waitFor();
    await button(panel, 'Open the summary in an editor').click();
    assert.deepEqual(await panel.next('openSnapshot'), { type: 'openSnapshot', id: 'c' });
  });

  it('continues from where it was stopped, also behind a switch', async () => {
    const panel = await bench.open({
      entries: [
        said('Go'),
        noted('Stopped', { icon: 'stop', canContinue: true }),
        noted('AutoEdit on', { quiet: true }),
      ],
    });
    await button(panel, 'Continue').click();
    await panel.next('continue');
  });

  it('has the times of messages, of steps and of turns for who points at them', async () => {
    const usage: Entry = { kind: 'usage', id: 'us', inputTokens: 38_200, outputTokens: 1100, seconds: 14, at: AT };
    const step = tool('read_file', { subject: 'src/a.ts', at: AT, tookMs: 2300 });
    const panel = await bench.open({ entries: [said('Go', { at: AT }), step, answered('Done.'), usage] });
    const time = panel.page.getByRole('article', { name: 'You' }).locator('time');
    assert.equal(await time.getAttribute('datetime'), new Date(AT).toISOString());
    assert.equal(await time.evaluate((element) => getComputedStyle(element.parentElement as Element).opacity), '0');
    await panel.page.getByText('Go', { exact: true }).hover();
    await panel.page.waitForFunction(() => {
      const bar = document.querySelector('.you-bar');
      return bar !== null && getComputedStyle(bar).opacity === '1';
    });
    assert.match((await panel.page.getByText('Read', { exact: true }).getAttribute('title')) ?? '', /:\d\d.*took 2/);
    const exact = await panel.page.getByText('38k in · 1.1k out').getAttribute('title');
    assert.match(exact ?? '', /38200 tokens in, 1100 tokens out, .*:\d\d/);
    await panel.page.getByText('14 s', { exact: true }).waitFor();
  });
});

import assert from 'node:assert/strict';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { usePanel } from '../support/panel/use-panel.ts';

const PAGE = 'https://ai.google.dev/gemini-api/docs/rate-limits';
const USED_UP: Entry = {
  kind: 'choice',
  id: 'question',
  title: 'gemini-3.8-flash is over its limit for today',
  message: 'Everything so far is kept.',
  options: [
    { decision: 'retry_once', label: 'Retry once' },
    { decision: 'retry_always', label: 'Always use gemini-3.1-pro-preview' },
  ],
  link: { label: 'Upgrade', url: PAGE },
};

describe('the question about a quota that is used up', () => {
  const bench = usePanel();

  it('offers Upgrade beside retry, always and stop, which opens the page and answers nothing', async () => {
    const panel = await bench.open({ entries: [USED_UP] });
    const card = panel.page.getByRole('group', { name: USED_UP.title });
    await card.getByRole('button', { name: 'Upgrade' }).waitFor();
    assert.deepEqual(
      (await card.locator('.acts > *').allTextContents()).map((label) => label.trim()),
      ['Retry once', 'Always use gemini-3.1-pro-preview', 'Stop here', 'Upgrade'],
    );
    await card.getByRole('button', { name: 'Upgrade' }).click();
    assert.deepEqual(await panel.next('openLink'), { type: 'openLink', url: PAGE });
    assert.ok(!panel.received.some(({ type }) => type === 'answer'));
    await card.getByRole('button', { name: 'Retry once' }).click();
    assert.deepEqual(await panel.next('answer'), { type: 'answer', requestId: 'question', decision: 'retry_once' });
  });
});

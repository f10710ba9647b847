import assert from 'node:assert/strict';
import { answered, asking, noted, said, thought, tool } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

const ENTRIES = [
  said('Why is it slow?', { id: 'u' }),
  thought('It waits for the clock.', { id: 'th' }),
  tool('read_file', { id: 'r', subject: 'src/clock.ts', summary: '1–40', detail: 'line\nline' }),
  said('Later', { id: 'w', pending: 'queue' }),
  answered('Because of the timer.', { id: 'a' }),
  noted('Stopped', { id: 'n' }),
];

describe('the conversation with the keyboard', () => {
  const bench = usePanel();
  const focusedEntry = (panel: PanelPage): Promise<string> =>
    panel.page.evaluate(() => {
      const entry = document.activeElement?.closest('gantry-entry');
      return entry ? entry.cell.entry.id : (document.activeElement?.getAttribute('aria-label') ?? 'nothing');
    });
  const press = async (panel: PanelPage, ...keys: string[]): Promise<string[]> => {
    const way: string[] = [];
    for (const key of keys) {
      await panel.page.keyboard.press(key);
      way.push(await focusedEntry(panel));
    }
    return way;
  };

  it('is walked through from entry to entry, over what is not seen', async () => {
    const panel = await bench.open({ entries: ENTRIES });
    await panel.conversation.focus();
    const down = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown'];
    assert.deepEqual(await press(panel, ...down), ['u', 'th', 'r', 'a', 'n', 'n']);
    assert.deepEqual(await press(panel, 'ArrowUp', 'ArrowUp', 'Home', 'End'), ['a', 'r', 'u', 'n']);
    await panel.screenshot('keyboard-entry');
    assert.deepEqual(await press(panel, 'Escape'), ['Message']);
  });

  it('begins with what is seen last when it is gone up from its end', async () => {
    const panel = await bench.open({ entries: longConversation(200), height: 500 });
    await panel.conversation.focus();
    assert.deepEqual(await press(panel, 'ArrowUp', 'ArrowUp'), ['e199', 'e198']);
  });

  it('opens and closes an entry, and goes to what it is about', async () => {
    const panel = await bench.open({ entries: ENTRIES });
    await panel.conversation.focus();
    await press(panel, 'ArrowDown', 'ArrowDown', 'ArrowRight');
    await panel.page.getByText('It waits for the clock.').waitFor();
    await press(panel, 'ArrowRight');
    await panel.page.getByText('It waits for the clock.').waitFor();
    assert.deepEqual(await press(panel, 'ArrowLeft'), ['th']);
    await panel.page.getByText('It waits for the clock.').waitFor({ state: 'detached' });
    await press(panel, 'Enter');
    await panel.page.getByText('It waits for the clock.').waitFor();
    assert.deepEqual(await press(panel, 'ArrowDown', 'Enter'), ['r', 'r']);
    assert.equal((await panel.next('openFile')).path, 'src/clock.ts');
  });

  it('goes with Tab into the controls of an entry, which keep their keys', async () => {
    const panel = await bench.open({ entries: ENTRIES });
    await panel.conversation.focus();
    await press(panel, 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Tab');
    const link = panel.page.getByRole('link', { name: 'src/clock.ts' });
    assert.ok(await link.evaluate((element) => element === document.activeElement));
    await press(panel, 'ArrowDown');
    assert.ok(await link.evaluate((element) => element === document.activeElement), 'the arrow is not for the walk');
  });

  it('goes to the card of a question, and to none of its buttons', async () => {
    const panel = await bench.open({
      entries: [said('Go', { id: 'u' }), asking('run_shell_command', 'ls', { id: 'q' })],
    });
    await panel.conversation.focus();
    await press(panel, 'ArrowDown', 'ArrowDown', 'Enter');
    const label = await panel.page.evaluate(() => document.activeElement?.className);
    assert.equal(label, 'ask');
    assert.equal(panel.received.filter(({ type }) => type === 'answer').length, 0);
  });

  it('reads a long answer to its end before it continues', async () => {
    const long = answered(Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.`).join('\n\n'), { id: 'long' });
    const panel = await bench.open({ entries: [said('Go', { id: 'u' }), long, noted('Stopped', { id: 'n' })] });
    await panel.conversation.focus();
    await press(panel, 'Home', 'ArrowDown', 'ArrowDown');
    assert.equal(await focusedEntry(panel), 'long');
    assert.deepEqual(await press(panel, 'ArrowDown', 'ArrowDown'), ['long', 'long']);
    let presses = 0;
    while ((await focusedEntry(panel)) === 'long' && presses++ < 60) await panel.page.keyboard.press('ArrowDown');
    assert.equal(await focusedEntry(panel), 'n');
    assert.ok(presses > 5, `${presses} presses`);
  });

  it('continues beyond what is held, and to both ends', async () => {
    const panel = await bench.open({ entries: longConversation(5000), height: 500 });
    await panel.conversation.focus();
    await press(panel, 'ArrowUp', 'Home');
    await eventually('the first entry', async () => (await focusedEntry(panel)) === 'e0');
    await press(panel, 'End');
    await eventually('the last entry', async () => (await focusedEntry(panel)) === 'e4999');
  });

  it('keeps the focus when an entry changes under it, and when it goes', async () => {
    const panel = await bench.open({ entries: [...ENTRIES.slice(0, 3), tool('run_shell_command', LIVE)] });
    await panel.page.getByRole('button', { name: 'Stop command' }).focus();
    await panel.put(tool('run_shell_command', { ...LIVE, status: 'success', command: { state: 'ended' } }));
    assert.equal(await focusedEntry(panel), 'live');
    await panel.change({ op: 'remove', ids: ['live'] });
    await eventually('focus in the conversation', async () => (await focusedEntry(panel)) === 'Conversation');
  });
});

const LIVE = {
  id: 'live',
  subject: 'npm test',
  status: 'running',
  detail: 'ok',
  command: { state: 'running', startedAt: Date.now() },
} as const;

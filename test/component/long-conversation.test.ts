import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { answered, asking, said } from '../support/panel/entries.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';
import { runs } from '../support/test-size.ts';

/** Where the first entry that is seen begins, and which one it is. */
async function seen(panel: PanelPage): Promise<{ id: string; top: number }> {
  return panel.conversation.evaluate((log) => {
    const edge = log.getBoundingClientRect().top;
    for (const entry of log.querySelectorAll('gantry-entry')) {
      const { top, bottom } = entry.getBoundingClientRect();
      if (bottom > edge + 1) return { id: entry.cell.entry.id, top: top - edge };
    }
    throw new Error('No entry is seen.');
  });
}

/** Where the reader is once scrolling has ended: the panel saves that a moment later. */
async function settledPlace(panel: PanelPage): Promise<{ id: string; top: number }> {
  const savedPlace = (): Promise<unknown> =>
    panel.page.evaluate(() => JSON.parse(sessionStorage.getItem('vscode-state') ?? '{}').place);
  let place = await seen(panel);
  await eventually('the saved place', async () => {
    const saved = await savedPlace();
    place = await seen(panel);
    return isDeepStrictEqual(saved, { id: place.id, offset: place.top });
  });
  return place;
}

const distanceToEnd = (panel: PanelPage): Promise<number> =>
  panel.conversation.evaluate(({ scrollHeight, clientHeight, scrollTop }) => scrollHeight - clientHeight - scrollTop);

const elements = (panel: PanelPage): Promise<number> =>
  panel.page.evaluate(() => document.querySelectorAll('*').length);

/** Tells how often the browser has laid out the page since now. */
async function countLayouts({ page }: PanelPage): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    await devtools.detach();
    return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN;
  };
}

/** Whether something other than entries is seen at any height of the log. */
const isBare = (panel: PanelPage): Promise<boolean> =>
  panel.conversation.evaluate((log) => {
    const { top, bottom } = log.getBoundingClientRect();
    return [...log.querySelectorAll('gantry-gap')].some((gap) => {
      const box = gap.getBoundingClientRect();
      return box.height > 0 && box.bottom > top && box.top < bottom;
    });
  });

describe('a conversation of 10,000 entries', () => {
  const bench = usePanel();
  const entries = longConversation(10_000);
  const open = async (more: readonly Entry[] = []): Promise<PanelPage> => {
    const panel = await bench.open({ entries: [...entries, ...more] });
    await panel.conversation.getByText('so answer 9999 ends here').waitFor();
    return panel;
  };

  it('is opened at its end, and shown where the scrollbar is pulled to, with a page that stays small', async () => {
    const panel = await open();
    assert.ok((await distanceToEnd(panel)) <= 1);
    assert.ok((await elements(panel)) <= 1500, `${await elements(panel)} elements`);
    assert.equal(await isBare(panel), false);
    await panel.screenshot('long-end');
    await panel.conversation.evaluate((log) => {
      log.scrollTop = log.scrollHeight / 2;
    });
    await eventually(
      'the middle',
      async () => !(await isBare(panel)) && Math.abs(Number((await seen(panel)).id.slice(1)) - 5000) < 1500,
    );
    assert.ok((await elements(panel)) <= 1500);
    assert.deepEqual(panel.complaints, []);
  });

  it('leaves its end with the wheel, whatever is drawn before the scrolling begins', async () => {
    const panel = await bench.open({ entries: longConversation(100) });
    let before = -1;
    await eventually('the end, with everything drawn', async () => {
      const [last, now] = [before, await elements(panel)];
      before = now;
      return now === last && (await distanceToEnd(panel)) <= 1;
    });
    await panel.conversation.evaluate((log) => log.dispatchEvent(new WheelEvent('wheel', { deltaY: -900 })));
    await panel.change({ op: 'put', entry: answered('More.\n\n'.repeat(40), { id: 'more' }) });
    await panel.conversation.getByText('More.').first().waitFor({ state: 'attached' });
    assert.ok((await distanceToEnd(panel)) > 500);
  });

  it('is read upwards with the wheel without a bare place, and without a jump', async () => {
    const panel = await open();
    await panel.conversation.hover();
    const first = Number((await seen(panel)).id.slice(1));
    let last = first;
    const turns = runs(20, 40);
    for (let turn = 0; turn < turns; turn++) {
      await panel.page.mouse.wheel(0, -240);
      await panel.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      const [bare, { id }] = await Promise.all([isBare(panel), seen(panel)]);
      assert.equal(bare, false, `a gap is seen after ${turn} turns`);
      const now = Number(id.slice(1));
      assert.ok(now <= last, `from ${last} to ${now}`);
      last = now;
    }
    assert.ok(first - last > 2.5 * turns, `from ${first} to ${last}`);
    assert.ok((await elements(panel)) <= 1500);
  });

  it('stays where the reader is while an answer is written at the end', async () => {
    const panel = await open();
    await panel.conversation.hover();
    await panel.page.mouse.wheel(0, -3000);
    await eventually('the wheel', async () => Number((await seen(panel)).id.slice(1)) < 9980);
    const before = await settledPlace(panel);
    await panel.put(answered('Well', { id: 'new', state: 'streaming' }));
    for (let n = 0; n < 50; n++) await panel.change({ op: 'append', id: 'new', text: ` and word ${n}\n\n` });
    assert.deepEqual(await seen(panel), before);
    await panel.page.getByRole('button', { name: /Latest/ }).click();
    await panel.conversation.getByText('and word 49').waitFor();
    assert.ok((await distanceToEnd(panel)) <= 1);
  });

  it('follows the reader, although entries are drawn before the browser reports the scrolling', async () => {
    const panel = await open();
    await panel.conversation.evaluate((log) => {
      log.scrollTop -= 3000;
      log.closest('gantry-conversation')?.requestUpdate();
    });
    await eventually('the reader’s place', async () => Number((await seen(panel)).id.slice(1)) < 9980);
    await panel.conversation.evaluate((log) => {
      log.scrollTop -= 3000;
      log.closest('gantry-conversation')?.requestUpdate();
    });
    await eventually('another place', async () => Number((await seen(panel)).id.slice(1)) < 9940);
  });

  it('is left and entered by Home and End, and turned by PageUp', async () => {
    const panel = await open();
    await panel.conversation.focus();
    await panel.page.keyboard.press('Home');
    await panel.conversation.getByText('Question 0:').waitFor();
    await eventually('the top', async () => (await seen(panel)).id === 'e0');
    assert.equal(await isBare(panel), false);
    await panel.page.keyboard.press('End');
    await panel.conversation.getByText('so answer 9999 ends here').waitFor();
    await eventually('the end', async () => (await distanceToEnd(panel)) <= 1);
    const before = await seen(panel);
    await panel.page.keyboard.press('PageUp');
    await eventually('another page', async () => (await seen(panel)).id !== before.id);
    assert.equal(await isBare(panel), false);
  });

  it('is where the reader was after the page went and came again', async () => {
    const panel = await open();
    await panel.conversation.focus();
    await panel.page.keyboard.press('Home');
    await eventually('the top', async () => (await seen(panel)).id === 'e0');
    await panel.conversation.hover();
    await panel.page.mouse.wheel(0, 2000);
    await eventually('the wheel', async () => Number((await seen(panel)).id.slice(1)) > 20);
    const before = await settledPlace(panel);
    await panel.reload();
    await eventually('the same place', async () => {
      const now = await seen(panel);
      return now.id === before.id && Math.abs(now.top - before.top) <= 1;
    });
  });

  it('leads to a question that is far above, and to its card', async () => {
    const question = asking('run_shell_command', 'rm -r build', { id: 'ask' });
    const panel = await bench.open({ entries: [...entries.slice(0, 40), question, ...entries.slice(40)] });
    const pointer = panel.page.getByRole('button', { name: /Needs you/ });
    await pointer.click();
    const card = panel.page
      .getByRole('article', { name: 'Tool: run_shell_command' })
      .getByRole('button', { name: 'Allow once' });
    await card.waitFor();
    await eventually('the pointer to go', async () => !(await pointer.isVisible()));
    await panel.post({ type: 'focusApproval', requestId: question.approval?.requestId });
    await eventually('focus on the card', () => panel.page.evaluate(() => document.activeElement?.matches('.ask')));
    await panel.conversation.hover();
    await panel.page.mouse.wheel(0, 4000);
    await pointer.waitFor();
    // The card may be far away by now, and what is far away is not held; the focus goes to what stays.
    assert.equal(await panel.page.evaluate(() => document.activeElement?.matches('.ask, .log')), true);
  });

  it('keeps what is selected, to be copied, when the reader scrolls on', async () => {
    const panel = await open();
    await panel.conversation.getByText('so answer 9999 ends here').selectText();
    await panel.conversation.hover();
    for (let turn = 0; turn < 6; turn++) await panel.page.mouse.wheel(0, -600);
    await eventually('the wheel', async () => Number((await seen(panel)).id.slice(1)) < 9960);
    assert.match(await panel.page.evaluate(() => String(document.getSelection())), /answer 9999 ends here/);
  });

  it('follows the end while hundreds of entries come', async () => {
    const panel = await open();
    await panel.setState({ running: true, startedAt: Date.now() });
    const more = longConversation(10_000 + runs(350, 700)).slice(10_000);
    for (const [at, entry] of more.entries()) {
      panel.stream({ op: 'put', entry });
      if (at % 20 === 0) await panel.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    await panel.conversation.getByText(`so answer ${9999 + more.length} ends here`).waitFor();
    await eventually('the end', async () => (await distanceToEnd(panel)) <= 1);
    assert.equal(await isBare(panel), false);
    const windows = panel.received.filter(({ type }) => type === 'window').length;
    assert.ok(windows < more.length / 35, `${windows} windows were asked for`);
  });

  it('says a finished answer once, also to a reader who is far away from it', async () => {
    const panel = await open();
    await panel.conversation.focus();
    await panel.page.keyboard.press('Home');
    await eventually('the top', async () => (await seen(panel)).id === 'e0');
    await panel.put(said('More?'), answered('No **more**.', { id: 'last', state: 'streaming' }));
    assert.equal(await panel.announced.textContent(), '');
    await panel.put(answered('No **more**.', { id: 'last' }));
    await eventually('the words', async () => (await panel.announced.textContent())?.trim() === 'Gantry: No more.');
    assert.equal((await seen(panel)).id, 'e0');
    await panel.page.keyboard.press('End');
    await panel.conversation.getByText('No more.').waitFor();
    assert.equal((await panel.announced.textContent())?.trim(), 'Gantry: No more.');
  });

  it('is rewound to its beginning under the reader’s eyes', async () => {
    const panel = await open();
    await panel.change({ op: 'remove', ids: entries.slice(20).map(({ id }) => id) });
    await panel.conversation.getByText('so answer 19 ends here').waitFor();
    assert.equal(await isBare(panel), false);
    await panel.setWidth(600);
    await eventually('the end', async () => (await distanceToEnd(panel)) <= 1);
  });
});

/** With half as many it would not fit on a small page either. */
const LONG = runs(400, 1000);

describe(`an answer of ${LONG} paragraphs and lists`, () => {
  const bench = usePanel();
  const text = Array.from({ length: LONG }, (_, n) => `Paragraph ${n} of *many*.\n\n- one\n- two`).join('\n\n');
  const small = (panel: PanelPage): Promise<boolean> =>
    eventually('a small page', async () => (await elements(panel)) <= 1500);

  it('is drawn near the reader alone, and stays as high as it is', async () => {
    const panel = await bench.open({ entries: [said('All of it?')] });
    const layouts = await countLayouts(panel);
    await panel.put(answered(text, { id: 'long' }));
    await panel.conversation.getByText(`Paragraph ${LONG - 1}`).waitFor();
    await small(panel);
    const count = await layouts();
    assert.ok(count < LONG / 20, `laid out ${count} times`);
    const height = await panel.conversation.evaluate((log) => log.scrollHeight);
    assert.ok((await distanceToEnd(panel)) <= 1);
    await panel.conversation.focus();
    await panel.page.keyboard.press('Home');
    await panel.conversation.getByText('Paragraph 0 of').waitFor();
    await small(panel);
    assert.equal(await panel.conversation.evaluate((log) => log.scrollHeight), height);
    assert.deepEqual(panel.complaints, []);
  });

  it('is so while it is written', async () => {
    const panel = await bench.open({ entries: [said('All of it?')] });
    await panel.put(answered('', { id: 'long', state: 'streaming' }));
    for (const part of text.match(/[\s\S]{1,2000}/g) ?? [])
      await panel.change({ op: 'append', id: 'long', text: part });
    await panel.conversation.getByText(`Paragraph ${LONG - 1}`).waitFor();
    await small(panel);
    assert.ok((await distanceToEnd(panel)) <= 1);
  });

  it('keeps what the reader has selected, and is found in', async () => {
    const panel = await bench.open({ entries: [said('All of it?'), answered(text, { id: 'long' })] });
    await panel.conversation.getByText(`Paragraph ${LONG - 1}`).dblclick();
    const selected = await panel.page.evaluate(() => String(getSelection()));
    await panel.conversation.focus();
    await panel.page.keyboard.press('Home');
    await panel.conversation.getByText('Paragraph 0 of').waitFor();
    await small(panel);
    assert.equal(await panel.page.evaluate(() => String(getSelection())), selected);
    await panel.page.keyboard.press('Control+f');
    await panel.page.getByRole('textbox', { name: 'Find in conversation' }).fill(`Paragraph ${LONG / 2} of many`);
    await eventually('the match', async () => {
      const box = await panel.page.evaluate(() => {
        const [range] = CSS.highlights.get('gantry-find-current') ?? [];
        return range instanceof Range ? range.getBoundingClientRect().top : undefined;
      });
      return box !== undefined && box > 0 && box < 700;
    });
  });
});

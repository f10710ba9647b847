import assert from 'node:assert/strict';
import type { PageLanguage } from '../../extension/protocol/panel/page-data.ts';
import { answered, said, tool } from '../support/panel/entries.ts';
import { german, markedGerman } from '../support/panel/languages.ts';
import { SPOKEN } from '../support/panel/spoken-scenes.ts';
import { THEMES } from '../support/panel/theme.ts';
import { unmarked } from '../support/panel/unmarked.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';
import { isFullRun } from '../support/test-size.ts';

const PICTURES = [
  ...['approvals', 'what surrounds the input', 'the list of sessions', 'going back to a message'],
  ...['the guide in a folder', 'the breakdown of the context', 'commands', 'one that can only be read'],
];

describe('the panel in another language', () => {
  const bench = usePanel();
  let marks: PageLanguage;
  let inGerman: PageLanguage;

  before(async function () {
    this.timeout(60_000);
    marks = await markedGerman();
    inGerman = await german();
  });

  it('tells a screen reader nothing in its own words', async () => {
    const panel = await bench.open({
      language: marks,
      entries: [said('zorp'), answered('```ts\nblimp\n```'), said('blimp', { id: 'waits', pending: 'queue' })],
    });
    const announced = async (act: () => Promise<void>): Promise<void> => {
      const before = await panel.announced.textContent();
      await act();
      await eventually('an announcement', async () => (await panel.announced.textContent()) !== before);
      assert.deepEqual(await unmarked(panel), []);
    };
    await announced(() => panel.page.locator('gantry-code-block button').first().click());
    await announced(() => panel.page.locator('.pending button').last().click());
    const attachment = { id: 'a', kind: 'file' as const, label: 'zorp.ts' };
    await announced(() => panel.post({ type: 'attachments', attachments: [attachment] }));
    await announced(() => panel.page.locator('.composer > .chips button').click());
    await announced(() => panel.setState({ canUndoRewind: true }));
    await announced(() => panel.post({ type: 'changes', changes: [], rewind: 'undone' }));
    await announced(() => panel.setState({ trustNews: { lines: ['Zorps.'], actions: [] } }));
  });

  it('has the words, the dates and the numbers of the language', async () => {
    const at = Date.UTC(2026, 0, 2, 12);
    const panel = await bench.open({
      language: inGerman,
      entries: [
        said('Hallo', { at }),
        tool('run_shell_command', { subject: 'ls', summary: 'exit 0', command: { state: 'ended', durationMs: 1200 } }),
      ],
    });
    assert.equal(await panel.page.locator('html').getAttribute('lang'), 'de');
    await panel.page.getByRole('textbox', { name: 'Nachricht' }).waitFor();
    await panel.page.getByRole('log', { name: 'Unterhaltung' }).waitFor();
    await panel.page.getByRole('button', { name: 'Senden', exact: true }).waitFor();
    assert.match((await panel.page.locator('.you time').textContent()) ?? '', /^2\. Jan\., /);
    await panel.page.locator('.exit', { hasText: '1,2 s' }).waitFor();
    assert.deepEqual(panel.complaints, []);
  });

  for (const [what, open] of Object.entries(SPOKEN)) {
    it(`has no words of its own, and room for longer ones at 300 px: ${what}`, async () => {
      const panel = await open(bench, { language: marks, width: 300 });
      assert.deepEqual(await unmarked(panel), []);
      assert.deepEqual(await panel.page.evaluate(cutOff), []);
      assert.deepEqual(panel.strayRequests, []);
    });
  }

  // These pictures are for people to look at. The marked texts above are longer, and find what is cut off.
  for (const what of isFullRun ? PICTURES : []) {
    const theme = THEMES[PICTURES.indexOf(what) % THEMES.length] ?? 'dark';
    it(`looks as it does in English: ${what}, in ${theme}`, async () => {
      const panel = await SPOKEN[what]?.(bench, { language: inGerman, width: 300, theme });
      assert.deepEqual(await panel?.page.evaluate(cutOff), []);
      await panel?.screenshot(`german-${what}`);
    });
  }
});

/** Runs in the page: what can be pressed and is not all there, and what scrolls sideways. */
function cutOff(): string[] {
  const nameOf = ({ localName, className }: Element): string => `${localName}.${className}`;
  const wide = [document.documentElement, ...document.querySelectorAll('.log, .dock, .sheet, .acts')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
  );
  const cut = [...document.querySelectorAll('button, vscode-button, input, select, textarea')].filter((control) => {
    const { left, right, width } = control.getBoundingClientRect();
    for (let box = control.parentElement; box && width > 0; box = box.parentElement) {
      const edges = box.getBoundingClientRect();
      const isClipped = getComputedStyle(box).overflowX !== 'visible';
      if (isClipped && (left < edges.left - 1 || right > edges.right + 1)) return true;
    }
    return false;
  });
  return [...wide, ...cut].map(nameOf);
}

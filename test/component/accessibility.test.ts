import assert from 'node:assert/strict';
import { unreadable, violations } from '../support/panel/accessibility.ts';
import { PAGES } from '../support/panel/pages.ts';
import { THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { isFullRun } from '../support/test-size.ts';

/** Other pages show all parts of these: the unfolded conversation, the page with every question, the empty state. */
const REPEATED: readonly string[] = ['conversation', 'approvals', 'guide'];

const SHOWN_PAGES = Object.entries(PAGES).filter(([what]) => isFullRun || !REPEATED.includes(what));

describe('everybody can use', () => {
  const bench = usePanel();

  for (const [index, [what, open]] of SHOWN_PAGES.entries()) {
    // In turn, as the themes give all pages the same colours.
    const [first = 'dark', ...others] = isFullRun ? THEMES : THEMES.filter((_, at) => at === index % THEMES.length);
    it(`${what} (WCAG 2.2 AA), and read it in ${[first, ...others].join(', ')}`, async () => {
      const panel = await open(bench, { theme: first });
      const faults = await violations(panel.page);
      for (const theme of others) {
        await panel.setTheme(theme);
        faults.push(...(await unreadable(panel.page)).map((fault) => `in ${theme}: ${fault}`));
      }
      assert.equal(faults.length, 0, faults.join('\n'));
    });
  }
});

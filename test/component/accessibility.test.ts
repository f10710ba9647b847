import assert from 'node:assert/strict';
import { unreadable, violations } from '../support/panel/accessibility.ts';
import { PAGES } from '../support/panel/pages.ts';
import { THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { isFullRun } from '../support/test-size.ts';

const [FIRST = 'dark', ...OTHERS] = THEMES;

describe('everybody can use', () => {
  const bench = usePanel();

  for (const [index, [what, open]] of Object.entries(PAGES).entries()) {
    // In turn, as the themes give all pages the same colours.
    const others = OTHERS.filter((_, at) => isFullRun || at === index % OTHERS.length);
    it(`${what} (WCAG 2.2 AA), and read it in ${[FIRST, ...others].join(', ')}`, async () => {
      const panel = await open(bench, { theme: FIRST });
      const faults = await violations(panel.page);
      for (const theme of others) {
        await panel.setTheme(theme);
        faults.push(...(await unreadable(panel.page)).map((fault) => `in ${theme}: ${fault}`));
      }
      assert.equal(faults.length, 0, faults.join('\n'));
    });
  }
});

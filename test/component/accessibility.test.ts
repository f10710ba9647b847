import assert from 'node:assert/strict';
import { violations } from '../support/panel/accessibility.ts';
import { PAGES } from '../support/panel/pages.ts';
import { THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';

describe('everybody can use', () => {
  const bench = usePanel();

  for (const [what, open] of Object.entries(PAGES)) {
    for (const theme of THEMES) {
      it(`${what}, in ${theme} (WCAG 2.2 AA)`, async function () {
        this.timeout(60_000);
        const panel = await open(bench, { theme });
        const found = await violations(panel.page);
        assert.equal(found.length, 0, found.join('\n'));
      });
    }
  }
});

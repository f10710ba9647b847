import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { repoRoot } from '../repo.ts';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

/** Levels A and AA of WCAG 2.0, 2.1 and 2.2. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** The accessibility violations of the page: the rule, and where it is violated. */
export async function violations(page: Page): Promise<string[]> {
  return found(page, { runOnly: { type: 'tag', values: RULES } });
}

/** Only the violations that depend on the theme: text with insufficient contrast. */
export async function unreadable(page: Page): Promise<string[]> {
  return found(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
}

async function found(page: Page, options: axe.RunOptions): Promise<string[]> {
  // Evaluated instead of added as a script, which the content security policy would refuse.
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(await readFile(join(repoRoot, 'node_modules/axe-core/axe.min.js'), 'utf8'));
  const faults = await page.evaluate(async (chosen) => {
    // The stylesheets are already loaded; axe would request them again.
    const results = await window.axe.run(document, { ...chosen, preload: false, resultTypes: ['violations'] });
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary, html }) => ({ id, target: target.join(' '), failureSummary, html })),
    );
  }, options);
  return faults.map(({ id, target, failureSummary = '', html }) =>
    [id, target, html.slice(0, 200), failureSummary].join('\n  '),
  );
}

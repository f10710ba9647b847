import assert from 'node:assert/strict';
import type { TokenColours } from '../../extension/protocol/token-roles.ts';
import { answered } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

const fence = (info: string, ...lines: string[]): string => ['```' + info, ...lines, '```'].join('\n');

const CODE = fence(
  'ts src/net/retry.ts',
  'export interface RetryOptions {',
  '  attempts: number',
  '  // replaced in tests',
  '  sleep?: (ms: number) => Promise<void>',
  '}',
  "const retry = await run('upload', 12, true);",
);

const FLOW = fence(
  'mermaid',
  'flowchart LR',
  '  A[Read part] --> B{Fits?}',
  '  B -->|yes| C[Send]',
  '  B -->|no| D[Split]',
  '  D --> A',
);

const MATHS =
  'The mean is $\\bar{x} = \\frac{1}{n}\\sum_{i=1}^n x_i$, and\n\n$$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$\n\nIt costs $5 and not $10.';

const DARK: TokenColours = {
  comment: '#6A9955',
  string: '#CE9178',
  number: '#B5CEA8',
  constant: '#569CD6',
  keyword: '#569CD6',
  control: '#C586C0',
  type: '#4EC9B0',
  function: '#DCDCAA',
  variable: '#9CDCFE',
  property: '#9CDCFE',
};
const LIGHT: TokenColours = {
  comment: '#008000',
  string: '#A31515',
  number: '#098658',
  constant: '#0000FF',
  keyword: '#0000FF',
  control: '#AF00DB',
  type: '#267F99',
  function: '#795E26',
  variable: '#001080',
  property: '#001080',
};

/** The words that have a colour, by what they are. */
async function coloured(panel: PanelPage): Promise<Record<string, string[]>> {
  return panel.page.evaluate(() => {
    const words: Record<string, string[]> = {};
    for (const [name, ranges] of CSS.highlights as unknown as Map<string, Set<StaticRange>>) {
      words[name] = [...ranges].map(({ startContainer, startOffset, endOffset }) =>
        (startContainer.textContent ?? '').slice(startOffset, endOffset),
      );
    }
    return words;
  });
}

describe('the words of an answer', () => {
  const bench = usePanel();

  for (const theme of THEMES) {
    it(`are code, formulas and diagrams in ${theme}`, async () => {
      const panel = await bench.open({ theme, height: 1000, entries: [answered([CODE, MATHS, FLOW].join('\n\n'))] });
      await panel.post({ type: 'tokenColours', colours: theme.includes('light') ? LIGHT : DARK });
      await eventually('colours', async () => (await coloured(panel))['code-keyword']?.length);
      await panel.page.locator('math').first().waitFor();
      await panel.page.waitForFunction(
        () => document.querySelector<HTMLImageElement>('.diagram-box img')?.naturalWidth,
      );
      await panel.screenshot(`words-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }
});

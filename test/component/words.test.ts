import assert from 'node:assert/strict';
import { CODE_COLOURS } from '../../webview/replay/code-colours.ts';
import { answered } from '../support/panel/entries.ts';
import type { PanelPage } from '../support/panel/panel-page.ts';
import { SHOWN_THEMES } from '../support/panel/theme.ts';
import { usePanel } from '../support/panel/use-panel.ts';
import { eventually } from '../support/poll.ts';

const fence = (info: string, ...lines: string[]): string => [`\`\`\`${info}`, ...lines, '```'].join('\n');

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

  for (const theme of SHOWN_THEMES) {
    it(`are code, formulas and diagrams in ${theme}`, async () => {
      const panel = await bench.open({ theme, height: 1000, entries: [answered([CODE, MATHS, FLOW].join('\n\n'))] });
      await panel.post({
        type: 'tokenColours',
        colours: theme.includes('light') ? CODE_COLOURS.light : CODE_COLOURS.dark,
      });
      await eventually('colours', async () => (await coloured(panel))['code-keyword']?.length);
      await panel.page.locator('math').first().waitFor();
      await panel.page.waitForFunction(
        () => document.querySelector<HTMLImageElement>('.diagram-box img')?.naturalWidth,
      );
      await panel.screenshot(`words-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }

  it('are coloured line by line while they arrive, and stay selected', async () => {
    const panel = await bench.open({
      entries: [answered('```ts\nconst one = 1;\nconst tw', { id: 'a', state: 'streaming' })],
    });
    await eventually('the first line', async () => (await coloured(panel))['code-keyword']?.length === 1);
    await panel.page.evaluate(() => {
      const node = document.querySelector('.lines')?.firstChild;
      if (node) getSelection()?.setBaseAndExtent(node, 6, node, 9);
    });
    await panel.change({ op: 'append', id: 'a', text: 'o = 2;\nlet three' });
    await eventually('the second line', async () => (await coloured(panel))['code-keyword']?.length === 2);
    await panel.put(answered('```ts\nconst one = 1;\nconst two = 2;\nlet three\n```', { id: 'a' }));
    await eventually('the last line', async () => (await coloured(panel))['code-keyword']?.length === 3);
    assert.deepEqual((await coloured(panel))['code-keyword'], ['const', 'const', 'let']);
    assert.equal(await panel.page.evaluate(() => String(getSelection())), 'one');
  });

  it('stay selected while more of them arrive', async () => {
    const panel = await bench.open({ entries: [answered('One **two** three fo', { id: 'a', state: 'streaming' })] });
    await panel.conversation.getByText('three fo').waitFor();
    await panel.page.evaluate(() => {
      const node = document.querySelector('gantry-markdown strong')?.nextSibling;
      if (node) getSelection()?.setBaseAndExtent(node, 1, node, 6);
    });
    await panel.change({ op: 'append', id: 'a', text: 'ur five' });
    await panel.conversation.getByText('four five').waitFor();
    assert.equal(await panel.page.evaluate(() => String(getSelection())), 'three');
  });

  it('give their colours back when they go', async () => {
    const panel = await bench.open({ entries: [answered(CODE)] });
    await eventually('colours', async () => (await coloured(panel))['code-keyword']?.length);
    await panel.show([answered('no code')]);
    await eventually('none', async () => Object.values(await coloured(panel)).flat().length === 0);
  });

  it('are readable in every theme, whatever its colours', async () => {
    const panel = await bench.open({ theme: 'light' });
    await panel.post({ type: 'tokenColours', colours: { comment: '#eeeeee', string: '#A31515' } });
    const shown = await eventually('the colours', () =>
      panel.page.evaluate(() => {
        const { style } = document.documentElement;
        const comment = style.getPropertyValue('--code-comment');
        return comment === '' ? undefined : { comment, string: style.getPropertyValue('--code-string') };
      }),
    );
    assert.equal(shown.string, 'rgb(163 21 21)');
    const [part = 255] = (/\d+/.exec(shown.comment) ?? []).map(Number);
    assert.ok(part < 120, shown.comment);
  });

  it('can be copied, inserted, applied and opened', async () => {
    const panel = await bench.open({ entries: [answered(CODE)] });
    const text = CODE.split('\n').slice(1, -1).join('\n');
    for (const name of ['Copy', 'Insert at cursor', 'Apply as diff', 'Open in editor']) {
      await panel.page.getByRole('button', { name, exact: true }).click();
    }
    assert.deepEqual(await panel.next('copy'), { type: 'copy', text });
    assert.deepEqual(await panel.next('insertCode'), { type: 'insertCode', text });
    assert.deepEqual(await panel.next('applyCode'), { type: 'applyCode', text, path: 'src/net/retry.ts' });
    assert.deepEqual(await panel.next('openCode'), { type: 'openCode', text, language: 'ts' });
    await panel.page.getByRole('link', { name: 'src/net/retry.ts' }).click();
    assert.deepEqual(await panel.next('openFile'), { type: 'openFile', path: 'src/net/retry.ts' });
  });

  it('show the source of what is no diagram and no formula', async () => {
    const panel = await bench.open({
      entries: [answered(`${fence('mermaid', 'flowchart LR', ' A --> --> B')}\n\n$\\frac{1}$ end`)],
    });
    await panel.page.getByText('This diagram could not be drawn').waitFor();
    await panel.page.getByRole('group', { name: 'Code, mermaid' }).getByText('A --> --> B').waitFor();
    await panel.page.locator('gantry-maths code').getByText('frac').waitFor();
    assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
  });

  it('keep the source of a diagram one button away', async () => {
    const panel = await bench.open({ entries: [answered(FLOW)] });
    await panel.page.getByRole('button', { name: 'Show source' }).click();
    await panel.page.getByRole('group', { name: 'Code, mermaid' }).getByText('Fits?').waitFor();
  });

  it('run nothing and load nothing, however hostile they are', async () => {
    const base = 'https://evil.test';
    const hostile = [
      fence(
        'mermaid',
        `%%{init: {"securityLevel": "loose", "themeCSS": "@import url(${base}/a.css); * { background: url(${base}/b.png) }", "htmlLabels": true}}%%`,
        'flowchart LR',
        `  A["<img src='${base}/c.png' onerror='document.title=1'>"] --> B["<script>document.title=2</script>"]`,
        `  click A "${base}/d" _blank`,
        '  click B call alert()',
        `  style A fill:url(${base}/e.svg)`,
      ),
      fence('mermaid', 'sequenceDiagram', `  Alice->>Bob: <img src=${base}/f.png onerror=alert(1)>`),
      fence(
        'mermaid',
        '---',
        'config:',
        '  securityLevel: loose',
        '---',
        'classDiagram',
        `  class A{ <iframe src="${base}/g"></iframe> }`,
      ),
      fence('mermaid', 'flowchart LR', ...Array.from({ length: 2000 }, (_, index) => `  A${index} --> A${index + 1}`)),
      `$\\href{javascript:alert(1)}{x^2}$ $\\url{${base}/h}_1$ $\\includegraphics{${base}/i.png}_1$ $\\style{background:url(${base}/j.png)}{x}$`,
      `$$\\def\\a{\\a\\a}\\a$$`,
      `$$${'{'.repeat(2000)}x${'}'.repeat(2000)}$$`,
      fence('js', 'const a = "</span><img src=x onerror=alert(1)>";'),
      fence(`ts "><img src=${base}/k.png>`, 'x'),
      'The end.',
    ];
    const panel = await bench.open({ entries: [answered(hostile.join('\n\n'))] });
    await panel.page.getByText('The end.').waitFor();
    await eventually('every diagram drawn or given up', () =>
      panel.page.evaluate(() =>
        [...document.querySelectorAll('gantry-diagram')].every((diagram) => diagram.querySelector('img, p.muted')),
      ),
    );
    const answer = panel.page.getByRole('article', { name: 'Gantry' });
    assert.equal(
      await answer
        .locator('script, style, iframe, svg, foreignObject, a[href^="javascript"], [onerror], [style]')
        .count(),
      0,
    );
    const pictures = await answer
      .locator('img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
    for (const picture of pictures) {
      assert.match(picture, /^data:image\/svg\+xml/);
      assert.doesNotMatch(decodeURIComponent(picture), /<(?:script|foreignObject|iframe|image|img|a)\b/i);
    }
    assert.equal(await panel.page.title(), 'Gantry');
    assert.deepEqual(panel.strayRequests, []);
  });

  const LISTS = [
    '## What is left',
    '- [x] Map every reader of `Part.buffer`',
    '- [ ] Replace the buffer with a stream',
    '  - [ ] and its tests, with a line that is long enough to need a second one',
    '',
    '| Module | Reads | Writes | Owner | Last change |',
    '|:--|--:|:-:|---|---|',
    '| `src/net/upload.ts` | 14 | yes | transport team | last week |',
    '| `src/net/checksum.ts` | 2 | no | transport team | in spring |',
    '',
    'Both need the whole part in memory[^1].',
    '',
    '[^1]: Measured on a file of 2 GB.',
  ].join('\n');

  for (const theme of SHOWN_THEMES) {
    it(`are lists of tasks, tables and notes in ${theme}`, async () => {
      const panel = await bench.open({ theme, entries: [answered(LISTS)] });
      const { page } = panel;
      const tasks = page.getByRole('listitem');
      assert.deepEqual(
        (await tasks.allInnerTexts()).map((text) => text.trim().slice(0, 1)),
        ['☑', '☐', '☐'],
      );
      const box = page.getByRole('group', { name: 'Table' });
      assert.equal(await box.getByRole('columnheader').count(), 5);
      const [inside, outside] = await Promise.all([
        box.evaluate((element) => element.scrollWidth > element.clientWidth),
        panel.conversation.evaluate((log) => log.scrollWidth > log.clientWidth),
      ]);
      assert.deepEqual({ inside, outside }, { inside: true, outside: false });
      await box.focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(() => (document.querySelector('.table-box')?.scrollLeft ?? 0) > 0);
      await page.locator('sup').first().waitFor();
      await panel.screenshot(`lists-${theme}`);
      assert.deepEqual([panel.complaints, panel.strayRequests], [[], []]);
    });
  }
});

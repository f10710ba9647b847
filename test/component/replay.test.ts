import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { PageLanguage } from '../../extension/protocol/panel/page-data.ts';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { type PanelFiles, replayPage } from '../../extension/vscode/replay/replay-page.ts';
import { sharedBrowser } from '../support/browser.ts';
import { distDir } from '../support/dist.ts';
import { unreadable, violations } from '../support/panel/accessibility.ts';
import { answered, said, thought, tool } from '../support/panel/entries.ts';
import { german, markedGerman } from '../support/panel/languages.ts';
import { longConversation } from '../support/panel/long-conversation.ts';
import { RICH } from '../support/panel/rich-conversation.ts';
import { unmarked } from '../support/panel/unmarked.ts';
import { resultsDir } from '../support/repo.ts';
import { isFullRun } from '../support/test-size.ts';

const files: PanelFiles = {
  text: (name) => readFile(join(distDir, 'webview', name), 'utf8'),
  bytes: (name) => readFile(join(distDir, 'webview', name)),
};

interface OpenedReplay {
  readonly page: Page;
  /** What the page asked for besides itself. */
  readonly requests: string[];
  readonly complaints: string[];
}

describe('a conversation in a file of its own', () => {
  let browser: Browser;
  let folder: string;
  let context: BrowserContext | undefined;

  before(async function () {
    this.timeout(10 * 60_000);
    browser = await sharedBrowser();
    folder = await mkdtemp(join(tmpdir(), 'gantry-replay-'));
  });

  afterEach(() => context?.close());

  after(() => rm(folder, { recursive: true }));

  async function open(
    entries: readonly Entry[],
    { width = 900, dark = false, title = 'The tide table', language = { tag: 'en' } as PageLanguage } = {},
  ): Promise<OpenedReplay> {
    const path = join(folder, `${crypto.randomUUID()}.html`);
    await writeFile(
      path,
      await replayPage({ title, madeAt: Date.UTC(2026, 0, 2), entries: [...entries] }, files, language),
    );
    context = await browser.newContext({
      colorScheme: dark ? 'dark' : 'light',
      viewport: { width, height: 700 },
    });
    const page = await context.newPage();
    const address = pathToFileURL(path).href;
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      if (request.url() !== address && !request.url().startsWith('data:')) requests.push(request.url());
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(address);
    return { page, requests, complaints };
  }

  const conversation = [
    said('What is in src/tides.ts?', { at: Date.UTC(2026, 0, 1) }),
    thought('Reading it.'),
    tool('read_file', { subject: 'src/tides.ts', summary: '1–118', detail: 'export const high = 3;' }),
    answered(
      [
        'It holds the **tide table**:',
        '```ts\nexport const high = 3;\n```',
        'with $x^2$ and',
        '```mermaid\nflowchart LR\n  A[Read] --> B[Format]\n```',
      ].join('\n\n'),
    ),
  ];

  for (const dark of isFullRun ? [false, true] : [true]) {
    it(`is read in a browser that is ${dark ? 'dark' : 'light'}, and asks for nothing`, async () => {
      const { page, requests, complaints } = await open(conversation, { dark });
      const answer = page.getByRole('article', { name: 'Gantry' });
      await answer.getByText('tide table').waitFor();
      await page.getByRole('article', { name: 'You' }).getByText('src/tides.ts').waitFor();
      await page.getByRole('article', { name: 'Tool: read_file' }).waitFor();
      await page.locator('math').waitFor();
      await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.diagram-box img')?.naturalWidth);
      await page.waitForFunction(() => CSS.highlights.size > 0);
      assert.equal(await page.title(), 'The tide table');
      assert.equal(await page.evaluate(() => document.fonts.check('16px codicon')), true);
      await page.screenshot({ path: join(resultsDir, `replay-${dark ? 'dark' : 'light'}.png`) });
      assert.deepEqual([requests, complaints], [[], []]);
    });
  }

  it('everybody can use (WCAG 2.2 AA), and read in whatever colours the system asks for', async () => {
    const { page } = await open(RICH);
    await page.getByText('A quote').waitFor();
    const faults = await violations(page);
    for (const [colorScheme, contrast, theme] of [
      ['light', 'more', 'vscode-high-contrast-light'],
      ['dark', 'more', 'vscode-high-contrast'],
      ['dark', 'no-preference', 'vscode-dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme, contrast });
      await page.locator(`body.${theme}`).waitFor();
      // With high contrast, the colours are further apart than those of the other themes.
      if (contrast === 'more' && !isFullRun) continue;
      faults.push(...(await unreadable(page)).map((fault) => `in ${colorScheme}, contrast ${contrast}: ${fault}`));
    }
    assert.equal(faults.length, 0, faults.join('\n'));
  });

  it('has nothing to write in and nothing to press that would do nothing', async () => {
    const { page } = await open(conversation);
    await page.getByRole('article', { name: 'Gantry' }).getByText('tide table').waitFor();
    assert.equal(await page.getByRole('textbox').count(), 0);
    const names = await page.getByRole('button').evaluateAll((buttons) => buttons.map((button) => button.ariaLabel));
    for (const name of ['Sessions', 'Send', 'Rewind to here', 'Apply as diff', 'Insert at cursor', 'Open in editor'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, `${name} among ${names.join()}`);
  });

  it('is found through, from its beginning to its end, with 10,000 entries', async () => {
    const { page, requests, complaints } = await open(longConversation(10_000), { width: 600 });
    await page.getByText('Question 0:').waitFor();
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) <= 1500);
    await page.getByRole('log', { name: 'Conversation' }).press('End');
    await page.getByText('so answer 9999 ends here').waitFor();
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox').fill('Question 5000:');
    await page.keyboard.press('Enter');
    await page.getByText('Question 5000:').waitFor();
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) <= 1500);
    assert.deepEqual([requests, complaints], [[], []]);
  });

  it('runs and loads nothing of what was said in it', async () => {
    const hostile = [
      '</script><script>document.title = 1</script>',
      '<!--<script>',
      '<img src="https://evil.test/a.png" onerror="document.title = 2">',
      '![picture](https://evil.test/b.png)',
      '<style>@import url(https://evil.test/c.css)</style>',
      '<svg><image href="https://evil.test/d.png"/><script>document.title = 3</script></svg>',
      '<link rel="preconnect" href="https://evil.test"><meta http-equiv="refresh" content="0;url=https://evil.test/e">',
      'The end.',
    ].join('\n\n');
    const title = '</title><script>document.title = 4</script>';
    const { page, requests } = await open([said(hostile), answered(hostile), tool('x', { detail: hostile })], {
      title,
    });
    await page.getByText('The end.').first().waitFor();
    assert.equal(await page.title(), title);
    assert.deepEqual(requests, []);
  });

  it('speaks German where VS Code did when it was made', async () => {
    const { page, complaints } = await open(conversation, { language: await german() });
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    await page.getByRole('log', { name: 'Unterhaltung' }).waitFor();
    await page.getByRole('article', { name: 'Ich' }).getByText('src/tides.ts').waitFor();
    await page.getByRole('article', { name: 'Tool: read_file' }).waitFor();
    await page.locator('gantry-code-block').getByRole('button', { name: 'Kopieren' }).first().waitFor();
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'In der Unterhaltung suchen' }).waitFor();
    if (isFullRun) assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
  });

  it('has no words of its own in another language', async () => {
    const title = 'Zorp';
    const { page } = await open(RICH, { language: await markedGerman(), title });
    await page.getByText('A quote').waitFor();
    assert.deepEqual(await unmarked({ page, posted: [title, RICH] }), []);
  });

  it('shows a whole address and asks before it is left', async () => {
    const { page, requests } = await open([answered('[home](https://example.com/?q=1)')]);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: 'home' }).click();
    assert.deepEqual(asked, ['Open this address from the conversation?\n\nhttps://example.com/?q=1']);
    assert.equal(page.context().pages().length, 1);
    assert.deepEqual(requests, []);
  });
});

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import type { Entry } from '../../extension/protocol/transcript/transcript-entry.ts';
import { answered, asking, said, thought, tool } from '../support/panel/entries.ts';
import { usePanel } from '../support/panel/use-panel.ts';

/** What an answer could try, for a server at this address. */
function attempts(base: string): readonly string[] {
  return [
    `![a](${base}/image.png)`,
    `![a](${base}/image.png "title") [![b](${base}/badge.svg)](${base}/badge)`,
    `<img src="${base}/img.png" srcset="${base}/img2.png 2x" loading="eager">`,
    `<picture><source srcset="${base}/source.webp"><img src="${base}/picture.png"></picture>`,
    `<p style="background: url(${base}/style.png)">styled</p>`,
    `<style>@import url(${base}/import.css); @font-face { font-family: x; src: url(${base}/font.woff2) } p { font-family: x; background: url(${base}/css.png) }</style>`,
    `<link rel="stylesheet" href="${base}/link.css"><link rel="preload" as="image" href="${base}/preload.png">`,
    `<link rel="preconnect" href="${base}"><link rel="dns-prefetch" href="${base}"><link rel="prefetch" href="${base}/prefetch">`,
    `<svg width="9" height="9"><image href="${base}/svg.png"/><use href="${base}/use.svg#x"/><style>@import url(${base}/svg.css)</style></svg>`,
    `<video src="${base}/video.mp4" poster="${base}/poster.png"></video><audio src="${base}/audio.mp3"></audio>`,
    `<iframe src="${base}/frame"></iframe><object data="${base}/object"></object><embed src="${base}/embed">`,
    `<a href="${base}/ping" ping="${base}/pinged">ping</a> <form action="${base}/form"><input type="image" src="${base}/input.png"></form>`,
    `<meta http-equiv="refresh" content="0;url=${base}/refresh"><base href="${base}/">`,
    `<math><mglyph src="${base}/glyph.png"/></math> $\\includegraphics{${base}/maths.png}$`,
    `A preview of ${base}/preview and <${base}/autolink>.`,
    `\`\`\`mermaid\nflowchart LR\n  A["<img src='${base}/mermaid.png'>"] --> B\n  click A "${base}/click"\n  style A fill:url(${base}/fill.svg)\n\`\`\``,
    `\`\`\`html\n<img src="${base}/code.png">\n\`\`\``,
  ];
}

describe('whatever a conversation names', () => {
  const bench = usePanel();
  let server: Server;
  let connections = 0;

  before(async () => {
    server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  after(() => new Promise((resolve) => server.close(resolve)));

  it('nothing is asked for: images, styles, fonts, SVG, previews, diagrams', async () => {
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    const texts = attempts(`http://127.0.0.1:${address.port}`);
    const text = `${texts.join('\n\n')}\n\nThe end.`;
    const entries: Entry[] = [
      said(text),
      thought(text),
      tool('web_fetch', { subject: texts[0] ?? '', summary: text, detail: text }),
      tool('replace', { subject: 'a.ts', patch: text }),
      asking('run_shell_command', text),
      answered(text),
    ];
    const panel = await bench.open({ entries, state: { title: text }, height: 1200 });
    await panel.page.getByText('The end.').last().waitFor();
    await panel.page.waitForFunction(() => document.querySelector('gantry-diagram img, gantry-diagram p.muted'));
    for (const link of await panel.page.getByRole('article', { name: 'Gantry' }).getByRole('link').all())
      await link.hover();
    await panel.page.waitForLoadState('networkidle');
    assert.deepEqual([panel.strayRequests, connections], [[], 0]);
    assert.equal(panel.page.url(), panel.address);
  });

  it('a link says its whole address and leaves the asking to the host', async () => {
    const panel = await bench.open({ entries: [answered('[bank](https://evil.test/?bank.example)')] });
    const link = panel.page.getByRole('link', { name: 'bank' });
    assert.match((await link.getAttribute('title')) ?? '', /https:\/\/evil\.test\/\?bank\.example/);
    for (const button of ['left', 'middle'] as const) {
      await link.click({ button });
      assert.deepEqual(await panel.next('openLink'), { type: 'openLink', url: 'https://evil.test/?bank.example' });
    }
    assert.deepEqual([panel.strayRequests, panel.page.context().pages().length], [[], 1]);
  });

  it('a command address is no link', async () => {
    const words = '[a](command:workbench.action.quit) [b](javascript:alert(1)) [c](vscode://x) [d](data:text/html,x)';
    const panel = await bench.open({ entries: [answered(`${words} The end.`)] });
    await panel.page.getByText('The end.').waitFor();
    assert.equal(await panel.page.getByRole('article', { name: 'Gantry' }).locator('a[href]').count(), 0);
  });
});

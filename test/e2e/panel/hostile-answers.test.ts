import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe } from 'mocha';
import { it } from '../../support/journey.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';

describe('A hostile answer', () => {
  const requests: string[] = [];
  let server: Server;
  before(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => new Promise((resolve) => server.close(resolve)));
  const { gemini, bench } = useSharedWorkbench();

  it('loads nothing, runs nothing and draws no form', async () => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    gemini().reply(
      [
        `![picture](${base}/image.png)`,
        `<img src="${base}/img.png" onerror="fetch('${base}/onerror')">`,
        `<script src="${base}/script.js"></script><script>fetch('${base}/inline')</script>`,
        `<style>@import url(${base}/style.css); body { background: url(${base}/css.png) }</style>`,
        `<svg onload="fetch('${base}/svg')"><image href="${base}/svg.png"/></svg>`,
        `<iframe src="${base}/frame"></iframe><form action="${base}/form"><input name="q"></form>`,
        `<link rel="prefetch" href="${base}/prefetch"><video src="${base}/video" autoplay></video>`,
        `[script](javascript:fetch('${base}/js')) [command](command:workbench.action.quit) [data](data:text/html,x)`,
        '<a href="#" style="position:fixed;inset:0" onclick="x()">click me</a>',
        'The end.',
      ].join('\n\n'),
    );
    const { chat } = await bench.goOn();
    await chat.ask('show me');
    await chat.answers.getByText('The end.').waitFor();
    const answer = chat.answers.first();
    assert.equal(await answer.locator('img, script, style, svg image, iframe, form, input, video, link').count(), 0);
    assert.equal(await answer.locator('[onerror], [onload], [onclick], [style]').count(), 0);
    const targets = await answer
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    assert.deepEqual(
      targets.filter((target) => /^(javascript|command|data):/i.test(target)),
      [],
    );
    assert.deepEqual(requests, []);
  });

  it('cannot open a web page without asking: the whole address is shown first', async () => {
    gemini().reply('See [the docs](https://example.invalid/very/long?with=query).');
    const { workbench, chat } = await bench.goOn();
    await chat.ask('link please');
    await chat.answers.getByText('the docs').click();
    const dialog = workbench.page.getByRole('dialog');
    await dialog.getByText('https://example.invalid/very/long?with=query').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('cannot lead out of the workspace', async () => {
    gemini().reply('See [this](../../../../etc/passwd) file.');
    const { workbench, chat } = await bench.goOn();
    await chat.ask('link please');
    await chat.answers.getByText('this').click();
    await workbench.notification(/can't open this link/).waitFor();
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { journey } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

const USUAL_PORT = 41242;

describe('Serve Agent over A2A', () => {
  const { gemini, bench } = useSharedWorkbench();
  const itemOf = ({ page }: Workbench): Locator => page.locator('[id="gantry.gantry.gantry.serving"]');

  /** Starts while another program has the usual port: this test, or what else runs on the machine. */
  async function serve(workbench: Workbench): Promise<{ url: string; tokenFile: string; token: string }> {
    const other = createServer();
    await new Promise<unknown>((resolve) => {
      other.once('error', resolve);
      other.listen(USUAL_PORT, '127.0.0.1', () => resolve(undefined));
    });
    await workbench.runCommand('Gantry: Serve Agent over A2A');
    const busy = workbench.notification(`Port ${USUAL_PORT} is in use by another program`);
    await busy.waitFor();
    await workbench.screenshot('a2a-port-taken');
    await busy.getByRole('button', { name: 'Use Another Port' }).click();
    const item = itemOf(workbench);
    await item.waitFor();
    other.close();
    const [, port = ''] = /A2A port (\d+)/.exec(await item.innerText()) ?? [];
    const tokenFile = join(dirname(workbench.server.dataDir), '.gantry', 'a2a', `${port}.token`);
    return { url: `http://127.0.0.1:${port}/`, tokenFile, token: await readFile(tokenFile, 'utf8') };
  }

  async function isEnded({ url, tokenFile }: { url: string; tokenFile: string }): Promise<boolean> {
    const answers = await fetch(`${url}health`).then(
      () => true,
      () => false,
    );
    return !answers && !existsSync(tokenFile);
  }

  journey('programs use the agent of the window, which says so in the status bar, until it is stopped', async () => {
    const { workbench } = await bench.goOn({ 'a.txt': 'a' });
    assert.equal(await itemOf(workbench).count(), 0);
    const server = await serve(workbench);
    await workbench.notification(`Gantry serves this folder over A2A at ${server.url}`).waitFor();
    await workbench.screenshot('a2a-started');
    gemini().reply('From this window.');
    const message = { messageId: 'message-1', role: 'ROLE_USER', parts: [{ text: 'Where are you?' }] };
    const response = await fetch(server.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'A2A-Version': '1.0',
        Authorization: `Bearer ${server.token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
    });
    assert.match(await response.text(), /From this window\./);
    await workbench.dismissNotifications();
    const button = itemOf(workbench).getByRole('button');
    assert.match((await button.getAttribute('aria-label')) ?? '', /^Gantry serves this folder over A2A on port \d+\. /);
    await button.click();
    const stop = workbench.page.getByRole('option', { name: 'Stop Serving' });
    await workbench.page.getByRole('option', { name: `Copy Address, ${server.url}` }).waitFor();
    await workbench.page.getByRole('option', { name: `Copy Token, ${server.tokenFile}` }).waitFor();
    await workbench.screenshot('a2a-menu');
    await stop.click();
    await itemOf(workbench).waitFor({ state: 'detached' });
    await eventually('the end of the server', () => isEnded(server));
  });

  journey('the port is closed with the window', async () => {
    const { workbench } = await bench.goOn({ 'a.txt': 'a' });
    const server = await serve(workbench);
    await workbench.reload();
    await eventually('the end of the server', () => isEnded(server));
    assert.equal(await itemOf(workbench).count(), 0);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'mocha';
import type { Locator } from 'playwright-core';
import { Chat } from '../../support/chat.ts';
import { call } from '../../support/gemini/script.ts';
import { it, journey } from '../../support/journey.ts';
import { eventually } from '../../support/poll.ts';
import { useSharedWorkbench } from '../../support/shared-workbench.ts';
import type { Workbench } from '../../support/workbench.ts';

/** Says where it is, and ends when it is told to. */
const SERVER = `
  import { createServer } from 'node:http';
  const server = createServer((request, response) => {
    response.end('Hello', () => request.url === '/stop' && process.exit(5));
  });
  server.listen(0, '127.0.0.1', () => console.log('Listening on http://127.0.0.1:' + server.address().port));
`;

/** Says how large its terminal is, again with each change, until there is a file `go`. */
const SIZE = `
  trap 'stty size' WINCH
  stty size
  until test -f go; do sleep 0.1; done
  rm go
`;

describe('Commands in terminals', function () {
  // A shell, a panel and a reload are slow on a machine that has other things to do.
  this.timeout(120_000);
  const { gemini, bench } = useSharedWorkbench();

  /** Lets the model run a command, and says yes to it. */
  async function runs(chat: Chat, command: string, where: { outside_sandbox?: true } = {}): Promise<Locator> {
    gemini().reply(call('run_shell_command', { command, ...where }));
    await chat.send(`Run ${command}`);
    const card = chat.tool('run_shell_command').last();
    await card.getByRole('button', { name: 'Allow once', exact: true }).click();
    return card;
  }
  const panes = ({ page }: Workbench): Locator => page.locator('.monaco-list-row .terminal-tabs-entry');
  const screen = ({ page }: Workbench): Locator => page.locator('.terminal-wrapper.active .xterm-rows');
  // The renderer writes a no-break space where a line has a space.
  const textOf = async (workbench: Workbench): Promise<string> =>
    (await screen(workbench).innerText()).replaceAll('\u00a0', ' ').replace(/ +$/gm, '');
  const shows = (workbench: Workbench, text: string): Promise<true> =>
    eventually(`"${text}" in the terminal`, async () => (await textOf(workbench)).includes(text) || undefined);
  /** In rows and columns, as the renderer has drawn it. */
  const sizeOf = (workbench: Workbench): Promise<string> =>
    screen(workbench).evaluate((rows) => {
      const words = rows.querySelector('span');
      const cell = (words?.getBoundingClientRect().width ?? 0) / (words?.textContent?.length ?? 1);
      return `${rows.childElementCount} ${Math.round((rows.firstElementChild?.clientWidth ?? 0) / cell)}`;
    });
  /** How many rows that run of `size.sh` knows of, once it knows the size that is drawn. */
  const rowsSeen = (workbench: Workbench, run: number): Promise<number> =>
    eventually(`the size of the terminal in run ${run}`, async () => {
      const written = (await textOf(workbench)).split('> sh size.sh\n')[run] ?? '';
      const size = await sizeOf(workbench);
      return written.match(/^\d+ \d+$/gm)?.at(-1) === size ? Number.parseInt(size, 10) : undefined;
    });
  const focusInTerminal = ({ page }: Workbench): Promise<true> =>
    eventually('the focus in the terminal', () =>
      page.locator('.terminal-wrapper.active .xterm-helper-textarea').evaluate((it) => it.matches(':focus')),
    );
  const toldToModel = (): string => JSON.stringify(gemini().requests.at(-1)?.toolResults);

  journey('a command shows its last lines, waits for input, and is answered in its terminal', async () => {
    const { workbench, chat } = await bench.goOn();
    const card = await runs(chat, 'seq 1 20; read -p "Your name: " name; echo "Hello $name"; sleep 0.2; exit 4');
    await card.getByText('Waiting for input', { exact: true }).waitFor();
    assert.match(await card.locator('.tail').innerText(), /Your name:$/);
    assert.equal((await card.locator('.tail').innerText()).split('\n').length, 6);
    await chat.text('Waiting for you').waitFor();
    await eventually('the status', async () => /waiting for input/.test(await workbench.statusItem.innerText()));
    // Nothing took the focus from the chat.
    assert.equal(await chat.input.evaluate((input) => input.ownerDocument.hasFocus()), true);
    await workbench.screenshot('terminal-waits');
    await card.getByRole('button', { name: 'Answer in terminal' }).click();
    await panes(workbench).filter({ hasText: 'Gantry: seq 1 20; read' }).waitFor();
    await shows(workbench, 'Your name:');
    gemini().reply('That failed.');
    await focusInTerminal(workbench);
    await workbench.page.keyboard.type('Ada');
    await workbench.page.keyboard.press('Enter');
    // While it draws the line in which somebody types, the renderer may leave out what stands before.
    await shows(workbench, 'Hello Ada\nexit code 4');
    await chat.finished();
    await card.getByText('exit 4', { exact: true }).waitFor();
    await workbench.screenshot('terminal-ended');
    assert.match(toldToModel(), /Hello Ada.*Exit Code: 4/);
  });

  it('Ctrl+C in its terminal ends a command, and the card and the model are told how', async () => {
    const { workbench, chat } = await bench.goOn();
    const card = await runs(chat, 'echo begun; sleep 1000');
    await card.getByRole('button', { name: 'Open terminal' }).click();
    await shows(workbench, 'begun');
    await focusInTerminal(workbench);
    gemini().reply('You ended it.');
    await workbench.page.keyboard.press('Control+c');
    await shows(workbench, '^C\nended by SIGINT');
    await chat.answers.getByText('You ended it.').waitFor();
    await chat.finished();
    await card.getByText('SIGINT', { exact: true }).waitFor();
    assert.match(toldToModel(), /begun.*Signal: SIGINT/);
  });

  it('a command that runs again has the same pane, and sees its size also when that changes', async () => {
    const folder = await bench.folder({ 'size.sh': SIZE });
    const workbench = await bench.open({ folder });
    const chat = await Chat.open(workbench);
    const end = async (): Promise<void> => {
      gemini().reply('It ran.');
      await writeFile(join(folder, 'go'), '');
      await chat.finished();
    };
    const card = await runs(chat, 'sh size.sh');
    await card.getByRole('button', { name: 'Open terminal' }).click();
    const low = await rowsSeen(workbench, 1);
    await workbench.runCommand('View: Toggle Maximized Panel');
    await workbench.setSideBarWidth(500);
    await eventually('more rows', async () => (await rowsSeen(workbench, 1)) > low);
    await end();
    await shows(workbench, 'exit code 0');
    await runs(chat, 'sh size.sh');
    assert.ok((await rowsSeen(workbench, 2)) > low);
    assert.equal(await panes(workbench).count(), 1);
    await workbench.screenshot('terminal-again');
    await end();
  });

  it('a command is moved to the background by its button, and its end is reported', async () => {
    const { workbench, chat, folder } = await bench.goOn();
    const card = await runs(chat, 'until test -f go; do sleep 0.1; done; echo gone; exit 3');
    gemini().reply('It goes on without me.');
    await card.getByRole('button', { name: 'Move to background' }).click();
    await chat.answers.getByText('It goes on without me.').waitFor();
    await chat.finished();
    await card.getByText('in background').waitFor();
    assert.match(toldToModel(), /moved the command to the background/);
    await workbench.screenshot('terminal-background');
    gemini().reply('So it ended.');
    await chat.send('!touch go');
    await workbench.notification(/exit code 3/).waitFor();
    await chat.conversation.getByText(/ended in the background with exit code 3/).waitFor();
    assert.ok(existsSync(join(folder, 'go')));
    await workbench
      .notification(/exit code 3/)
      .getByRole('button', { name: 'Open Terminal' })
      .click();
    await shows(workbench, 'gone');
    await chat.ask('And?');
    const told = JSON.stringify(gemini().requests.at(-1)?.contents);
    assert.match(told, /background process \d+ has ended.*exit code 3/s);
    assert.match(told, /The user ran a command themselves.*touch go/s);
  });

  it('a server continues in the background by itself once it is up, and its end is reported', async () => {
    const { workbench, chat } = await bench.goOn({ 'serve.mjs': SERVER });
    // Where there is a sandbox, nobody else would reach it inside.
    const card = await runs(chat, 'node serve.mjs', { outside_sandbox: true });
    gemini().reply('It is up.');
    await chat.answers.getByText('It is up.').waitFor();
    await chat.finished();
    await card.getByText('in background').waitFor();
    const url = /has come up and keeps running \((http:[^)]*)\)/.exec(toldToModel())?.[1] ?? '';
    assert.equal(await (await fetch(url)).text(), 'Hello');
    await fetch(`${url}/stop`);
    await workbench.notification(/Background command "node serve\.mjs": exit code 5/).waitFor();
    await card.getByText('exit 5').waitFor();
    await chat.conversation.getByText(/ended in the background with exit code 5/).waitFor();
    await workbench.screenshot('terminal-server-ended');
    gemini().reply('I see.');
    await chat.ask('Well?');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.contents), /background process \d+ has ended.*exit code 5/s);
  });

  it('what is typed after an exclamation mark runs without the model', async () => {
    const { workbench, chat } = await bench.goOn();
    await chat.input.fill('!echo hi; echo there');
    await chat.text('Run a command').waitFor();
    await workbench.screenshot('terminal-typing');
    await chat.button('Send').click();
    const card = chat.tool('run_shell_command');
    await card.getByText('exit 0').waitFor();
    await card.getByText('You ran').waitFor();
    await card.getByRole('button', { name: 'Show details' }).click();
    await card.getByText('there', { exact: false }).last().waitFor();
    assert.equal(gemini().requests.length, 0);
    assert.equal(await chat.input.inputValue(), '');
    await workbench.runCommand('View: Toggle Terminal');
    await panes(workbench).filter({ hasText: 'Gantry: echo hi; echo there' }).click();
    await shows(workbench, 'exit code 0');
  });

  it('a command that outlives a killed extension host is said to run on, and can be stopped', async () => {
    const { workbench, chat } = await bench.goOn();
    // Its parent is the leader of its terminal, whose parent is the extension host.
    const command = "trap '' HUP; echo host=$(ps -o ppid= -p $PPID | tr -d ' '); sleep 1000";
    // What runs in a sandbox ends with the window.
    const card = await runs(chat, command, { outside_sandbox: true });
    const said = card.getByText(/^host=\d+$/);
    await said.waitFor();
    process.kill(Number((await said.innerText()).slice('host='.length)), 'SIGKILL');
    await workbench.reload();
    const again = await Chat.open(workbench);
    const lost = again.tool('run_shell_command');
    await lost.getByText('still running', { exact: true }).waitFor();
    await workbench.screenshot('terminal-outlived');
    await lost.getByRole('button', { name: 'Stop command' }).click();
    await lost.getByText('stopped by you').waitFor();
    assert.equal(await lost.getByRole('button', { name: 'Stop command' }).count(), 0);
    gemini().reply('I see.');
    await again.ask('Well?');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.contents), /The user stopped the command before it was done/);
  });

  it('a command that ran when the window was reloaded is said to be stopped', async () => {
    const { workbench, chat } = await bench.goOn();
    const card = await runs(chat, 'echo begun; sleep 1000');
    await card.getByText('begun', { exact: true }).waitFor();
    await workbench.reload();
    const again = await Chat.open(workbench);
    await again.tool('run_shell_command').getByText('stopped with the window').waitFor();
    await workbench.screenshot('terminal-lost');
    gemini().reply('I see.');
    await again.ask('Well?');
    assert.match(JSON.stringify(gemini().requests.at(-1)?.contents), /It was stopped with the window/);
  });
});

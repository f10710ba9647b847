import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GeminiEndpoint, startGeminiEndpoint } from '../support/gemini/server.ts';
import { installExtension } from '../support/gemini-extensions.ts';
import { createTempWorkspace, type TempWorkspace } from '../support/temp-workspace.ts';
import { testHost } from '../support/test-host.ts';
import { PanelWindow } from './panel-window.ts';
import { WindowAnswers } from './window-answers.ts';

describe('Custom commands, in VS Code', () => {
  let folder: TempWorkspace;
  let home: TempWorkspace;
  let gemini: GeminiEndpoint;
  let window: PanelWindow;
  let answers: WindowAnswers;
  let asked = 0;

  beforeEach(async () => {
    folder = await createTempWorkspace();
    home = await createTempWorkspace();
    gemini = await startGeminiEndpoint();
    const environment = { PATH: process.env['PATH'] ?? '', GEMINI_CLI_HOME: home.path };
    const options = { roots: [folder.path], sessions: join(home.path, 'sessions'), environment, baseUrl: gemini.url };
    window = new PanelWindow(testHost(options), new Map());
    answers = new WindowAnswers();
    answers.pressing(undefined);
    window.end.say({ type: 'ready' });
    await window.end.waitFor('transcript');
  });
  afterEach(async () => {
    answers.restore();
    await window.close();
    await gemini.dispose();
    await folder.dispose();
    await home.dispose();
  });

  async function slash(text: string): Promise<string | undefined> {
    const ref = ++asked;
    window.end.say({ type: 'slash', ref, text });
    const answer = await window.end.waitUntilFound(
      (message) => message.type === 'sent' && message.ref === ref && message,
    );
    await window.end.waitUntil(() => window.end.state?.running === false);
    return answer.refused?.title;
  }

  async function listed(query: string): Promise<string[]> {
    const id = ++asked;
    window.end.say({ type: 'suggest', id, about: 'command', query });
    const { groups } = await window.end.waitUntilFound(
      (message) => message.type === 'suggestions' && message.id === id && message,
    );
    return groups.flatMap(({ items }) => items.map(({ label, hint = '', detail }) => `${label} ${hint} ${detail}`));
  }

  const sentText = (): string => {
    const { parts = [] } = gemini.requests[0]?.contents[0] ?? {};
    return parts.map(({ text = '' }) => text).join('');
  };

  it('are listed when the list is opened, with the names that are free', async () => {
    await folder.write({
      '.gemini/commands/git/Commit.toml': 'description = "Write a commit"\nprompt = "Commit it"',
      '.gemini/commands/help.toml': 'prompt = "Help"',
    });
    await home.write({ '.gemini/commands/git/Commit.toml': 'prompt = "Mine"' });
    const all = await listed('/');
    assert.ok(all.includes('/git:Commit [arguments] Write a commit'));
    assert.ok(all.includes('/user.git:Commit [arguments] Command of Commit.toml'));
    assert.ok(all.includes('/workspace.help [arguments] Command of help.toml'));
  });

  it('become the message, with their arguments', async () => {
    await folder.write({
      '.gemini/commands/Say.toml': 'prompt = "Say {{args}} in @{words.txt}"',
      'words.txt': 'French',
    });
    gemini.reply('Bonjour.');
    assert.equal(await slash('/Say hello'), undefined);
    assert.match(sentText(), /Say hello in [\s\S]*French/);
    assert.equal(window.userMessages, 1);
  });

  it('run commands only after a yes that shows them exactly, and a no sends nothing', async () => {
    await folder.write({ '.gemini/commands/run.toml': 'prompt = "See !{touch ran && echo {{args}}}"' });
    assert.equal(await slash("/run it's"), '/run was not sent');
    assert.deepEqual(answers.said, [
      `/run wants to run this command, and send what it writes. Run it?\ntouch ran && echo 'it'\\''s'`,
    ]);
    assert.equal(existsSync(join(folder.path, 'ran')), false);
    assert.equal(gemini.requests.length, 0);
    answers.restore();
    answers = new WindowAnswers();
    answers.pressing('Run Command');
    gemini.reply('Seen.');
    assert.equal(await slash("/run it's"), undefined);
    assert.equal(existsSync(join(folder.path, 'ran')), true);
    assert.match(sentText(), /it's/);
  });

  it('of an extension are there too, and ask in its name', async () => {
    const commands = { 'commands/git/log.toml': 'description = "Tells"\nprompt = "See !{touch ran}"' };
    await installExtension(home.path, 'issues', { ...commands, 'commands/help.toml': 'prompt = "Help"' });
    const all = await listed('/');
    assert.ok(all.includes('/git:log [arguments] [issues] Tells'), all.join('\n'));
    assert.ok(all.includes('/extension.help [arguments] [issues] Command of help.toml'), all.join('\n'));
    assert.equal(await slash('/git:log'), '/git:log was not sent');
    assert.match(answers.said.join(), /^\/git:log \(extension issues\) wants to run this command/);
    assert.equal(existsSync(join(folder.path, 'ran')), false);
  });

  it('with a mistake are told of once, and the others are there', async () => {
    await folder.write({
      '.gemini/commands/bad.toml': 'prompt = 1',
      '.gemini/commands/good.toml': 'prompt = "x"',
    });
    assert.ok((await listed('/')).includes('/good [arguments] Command of good.toml'));
    await listed('/');
    assert.equal(answers.said.length, 1);
    assert.match(answers.said[0] ?? '', /bad\.toml:1: "prompt" has to be a text/);
  });
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { installExtension } from '../support/gemini-extensions.ts';
import { usePanelWindow } from './use-panel-window.ts';

describe('Custom commands, in VS Code', () => {
  const panel = usePanelWindow();
  beforeEach(() => panel.open());

  async function listed(query: string): Promise<string[]> {
    const groups = await panel.suggested('command', query);
    return groups.flatMap(({ items }) => items.map(({ label, hint = '', detail }) => `${label} ${hint} ${detail}`));
  }

  const sentText = (): string => {
    const { parts = [] } = panel.gemini.requests[0]?.contents[0] ?? {};
    return parts.map(({ text = '' }) => text).join('');
  };

  it('are listed when the list is opened, with the names that are free', async () => {
    await panel.folder.write({
      '.gemini/commands/git/Commit.toml': 'description = "Write a commit"\nprompt = "Commit it"',
      '.gemini/commands/help.toml': 'prompt = "Help"',
    });
    await panel.home.write({ '.gemini/commands/git/Commit.toml': 'prompt = "Mine"' });
    const all = await listed('/');
    assert.ok(all.includes('/git:Commit [arguments] Write a commit'));
    assert.ok(all.includes('/user.git:Commit [arguments] Command of Commit.toml'));
    assert.ok(all.includes('/workspace.help [arguments] Command of help.toml'));
  });

  it('become the message, with their arguments', async () => {
    await panel.folder.write({
      '.gemini/commands/Say.toml': 'prompt = "Say {{args}} in @{words.txt}"',
      'words.txt': 'French',
    });
    panel.window.context.attachments.add({ kind: 'terminal', label: 'zsh', content: { text: 'It failed.' } });
    panel.gemini.reply('Bonjour.');
    assert.equal(await panel.slash('/Say hello'), undefined);
    assert.match(sentText(), /Say hello in [\s\S]*French/);
    const { session, end } = panel.window;
    const [message] = session.entries.filter((entry) => entry.kind === 'user');
    assert.equal(message?.text, '/Say hello');
    assert.deepEqual(
      message.attachments?.map(({ label, path }) => [label, path]),
      [
        ['Say.toml', '.gemini/commands/Say.toml'],
        ['words.txt', 'words.txt'],
        ['zsh', undefined],
      ],
    );
    panel.window.context.attachments.add({ kind: 'terminal', label: 'bash', content: { text: 'For the next one.' } });
    panel.gemini.reply('Au revoir.');
    const changed = { messageId: message.messageId, text: '/Say goodbye', what: 'conversation' } as const;
    end.say({ type: 'resend', ref: 9, ...changed, overwrite: [] });
    await end.waitUntil(() => session.entries.some((entry) => entry.kind === 'answer' && /Au revoir/.test(entry.text)));
    assert.equal(panel.window.userMessages, 1);
    const again = JSON.stringify(panel.gemini.requests.at(-1)?.contents);
    assert.match(again, /Say goodbye in .*French.*It failed\./);
    assert.doesNotMatch(again, /For the next one/);
  });

  it('run commands only after approval that shows them exactly, and a no sends nothing', async () => {
    await panel.folder.write({ '.gemini/commands/run.toml': 'prompt = "See !{touch ran && echo {{args}}}"' });
    assert.equal(await panel.slash("/run it's"), '/run was not sent');
    assert.deepEqual(panel.answers.said, [
      `/run wants to run this command and send its output. Run it?\ntouch ran && echo 'it'\\''s'`,
    ]);
    assert.equal(existsSync(join(panel.folder.path, 'ran')), false);
    assert.equal(panel.gemini.requests.length, 0);
    panel.answers.pressing('Run Command');
    panel.gemini.reply('Seen.');
    assert.equal(await panel.slash("/run it's"), undefined);
    assert.equal(existsSync(join(panel.folder.path, 'ran')), true);
    assert.match(sentText(), /it's/);
  });

  it('of an extension are there too, and ask in its name', async () => {
    const commands = { 'commands/git/log.toml': 'description = "Tells"\nprompt = "See !{touch ran}"' };
    await installExtension(panel.home.path, 'issues', { ...commands, 'commands/help.toml': 'prompt = "Help"' });
    const all = await listed('/');
    assert.ok(all.includes('/git:log [arguments] [issues] Tells'), all.join('\n'));
    assert.ok(all.includes('/extension.help [arguments] [issues] Command of help.toml'), all.join('\n'));
    assert.equal(await panel.slash('/git:log'), '/git:log was not sent');
    assert.match(panel.answers.said.at(-1) ?? '', /^\/git:log \(extension issues\) wants to run this command/);
    assert.equal(existsSync(join(panel.folder.path, 'ran')), false);
  });

  it('with a mistake are reported once, and the others are there', async () => {
    await panel.folder.write({
      '.gemini/commands/bad.toml': 'prompt = 1',
      '.gemini/commands/good.toml': 'prompt = "x"',
    });
    assert.ok((await listed('/')).includes('/good [arguments] Command of good.toml'));
    await listed('/');
    const bad = join(panel.folder.path, '.gemini/commands/bad.toml');
    assert.deepEqual(panel.answers.said, [`${bad}:1: "prompt" must be a string. It is sent to the model.`]);
  });
});

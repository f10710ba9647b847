import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { call } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import { installExtension } from '../../support/gemini-extensions.ts';
import type { HeadlessResult } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { stdio } from '../../support/mcp/stdio.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

const ALLOW_TOUCH =
  '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch ran"\ndecision = "allow"\npriority = 100\n';

describe('The command line with commands', () => {
  const endpoint = useGemini();
  let workspace: TempWorkspace;
  let home: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace();
    home = await createTempWorkspace();
  });
  afterEach(async () => {
    await workspace.dispose();
    await home.dispose();
  });

  const run = (
    prompt: string | undefined,
    args: readonly string[] = ['--trust'],
    stdin = '',
  ): Promise<HeadlessResult> =>
    commandInProcess([...(prompt === undefined ? [] : ['-p', prompt]), ...args], {
      cwd: workspace.path,
      stdin,
      environment: {
        GEMINI_API_KEY: 'test-key',
        GOOGLE_GEMINI_BASE_URL: endpoint().url,
        GANTRY_HOME: join(home.path, '.gantry'),
        GEMINI_CLI_HOME: home.path,
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'),
      },
    });
  const said = (): string => (endpoint().requests[0]?.contents[0]?.parts ?? []).map(({ text = '' }) => text).join('');
  const hasRun = (): boolean => existsSync(join(workspace.path, 'ran'));

  it('sends what a custom command says, with its arguments and files', async () => {
    await workspace.write({
      '.gemini/commands/git/commit.toml': 'prompt = "Commit {{args}} as in @{style.txt}"',
      'style.txt': 'short',
    });
    endpoint().reply('Done.');
    const { code, stdout } = await run('/git:commit the fix');
    assert.deepEqual([code, stdout], [0, 'Done.\n']);
    assert.match(said(), /Commit the fix as in [\s\S]*short/);
  });

  it('sends what is piped in as data beside a command, and takes no command from there', async () => {
    await workspace.write({ '.gemini/commands/review.toml': 'prompt = "Review: {{args}}"' });
    endpoint().reply('Good.');
    await run('/review', ['--trust'], 'a diff');
    assert.match(said(), /Review: \n<\/chosen_prompt>.*from a pipe.*<untrusted_context>\n"stdin":\na diff\n/s);
    endpoint().reply('What?');
    await run(undefined, ['--trust'], '/review this');
    const [, second] = endpoint().requests.filter(({ asksForTitle }) => !asksForTitle);
    assert.match(JSON.stringify(second?.contents), /\/review this/);
  });

  it('runs nothing that needs a yes, sends nothing, and says what would allow it', async () => {
    await workspace.write({ '.gemini/commands/see.toml': 'prompt = "See !{touch ran}"' });
    const { code, stdout, stderr } = await run('/see');
    assert.deepEqual([code, stdout, hasRun()], [42, '', false]);
    assert.match(
      stderr,
      /\/see was not sent\. It wants to run "touch ran", which is not allowed\. Nobody can be asked\./,
    );
    assert.match(stderr, /--policy .*--approval-mode.* Rule write\.toml:\d+ \(shipped\)\. Nothing was run\./);
    assert.equal(endpoint().requests.length, 0);
  });

  for (const flags of [
    ['--approval-mode', 'yolo'],
    ['--policy', 'rules.toml'],
  ]) {
    it(`runs what ${flags.join(' ')} allows`, async () => {
      await workspace.write({
        '.gemini/commands/see.toml': 'prompt = "See !{touch ran && echo {{args}}}"',
        'rules.toml': ALLOW_TOUCH.replace('"touch ran"', '["touch ran", "echo"]'),
      });
      endpoint().reply('Seen.');
      const { code, stderr } = await run("/see it's $(touch pwned)", ['--trust', ...flags]);
      assert.deepEqual([code, hasRun()], [0, true], stderr);
      assert.match(said(), /it's \$\(touch pwned\)/);
      assert.equal(existsSync(join(workspace.path, 'pwned')), false);
    });
  }

  it('refuses what a rule refuses, in every mode', async () => {
    await workspace.write({
      '.gemini/commands/see.toml': 'prompt = "See !{touch ran}"',
      'rules.toml': ALLOW_TOUCH.replace('allow', 'deny'),
    });
    const { code, stderr } = await run('/see', ['--trust', '--approval-mode', 'yolo', '--policy', 'rules.toml']);
    assert.deepEqual([code, hasRun()], [42, false]);
    assert.match(stderr, /not allowed.*rules\.toml:1/s);
  });

  it('runs nothing that a rule wants a person for', async () => {
    await workspace.write({
      '.gemini/commands/see.toml': 'prompt = "See !{touch ran}"',
      'rules.toml': ALLOW_TOUCH.replace('allow', 'ask_user'),
    });
    const { code, stderr } = await run('/see', ['--trust', '--approval-mode', 'yolo', '--policy', 'rules.toml']);
    assert.deepEqual([code, hasRun()], [42, false]);
    assert.match(stderr, /requires approval, and nobody can be asked here\..*rules\.toml:1.*Nothing was run/s);
  });

  it('has no commands in a folder that is not trusted, and says so', async () => {
    await workspace.write({ '.gemini/commands/see.toml': 'prompt = "See"' });
    const { code, stderr } = await run('/see', []);
    assert.equal(code, 42);
    assert.match(stderr, /\/see was not sent.*not trusted.*put a space before it/s);
    endpoint().reply('Hm.');
    assert.equal((await run(' /see', [])).code, 0);
  });

  it('tells a command that is nearly written right from a text that begins with a slash', async () => {
    await workspace.write({ '.gemini/commands/git/commit.toml': 'prompt = "x"' });
    const { code, stderr } = await run('/git:comit it');
    assert.equal(code, 42);
    assert.match(stderr, /Did you mean \/git:commit\?/);
    endpoint().reply('A folder.');
    assert.equal((await run('/tmp is what?')).code, 0);
    assert.match(said(), /\/tmp is what\?/);
  });

  it('knows the commands of extensions, and /init', async () => {
    await installExtension(home.path, 'issues', { 'commands/close.toml': 'prompt = "Close {{args}}"' });
    endpoint().reply('Closed.');
    await run('/close 7');
    assert.match(said(), /Close 7/);
    endpoint().reply('Written.');
    await run('/init');
    const [, second] = endpoint().requests.filter(({ asksForTitle }) => !asksForTitle);
    assert.match(JSON.stringify(second?.contents), /write GEMINI\.md in the workspace folder/);
  });

  it('sends prompts of MCP servers, and offers their tools, skills and agents to the model', async () => {
    await home.write({
      '.gemini/settings.json': JSON.stringify({ mcpServers: { docs: stdio('good') } }),
      '.gemini/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDFs\n---\nRead it well.\n',
      '.gemini/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews\n---\nReview.\n',
      'allow.toml': '[[rule]]\ntoolName = "activate_skill"\ndecision = "allow"\npriority = 100\n',
    });
    endpoint().reply(call('activate_skill', { name: 'pdf' }));
    endpoint().reply('Greeted.');
    const { code, stderr } = await run('/greet Ada', ['--trust', '--policy', join(home.path, 'allow.toml')]);
    assert.equal(code, 0, stderr);
    assert.match(said(), /^\/greet Ada[\s\S]*<chosen_prompt>[\s\S]*Say hello to Ada\./);
    const [first, second] = endpoint().requests;
    assert.ok(first?.toolNames.some((name) => name.startsWith('mcp_docs_')));
    assert.match(first?.systemText ?? '', /- pdf: Reads PDFs/);
    assert.match(JSON.stringify(first?.body), /- reviewer: Reviews/);
    assert.match(JSON.stringify(second?.toolResults), /Read it well\./);
  });
});

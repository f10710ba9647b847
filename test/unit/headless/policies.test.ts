import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { findSandbox } from '../../../extension/sandbox/sandbox-support.ts';
import { call } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import type { HeadlessResult } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { forEvents, settingsWith } from '../hooks/hook-builders.ts';

const ALLOW_TOUCH =
  '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch made"\ndecision = "allow"\npriority = 100\n';
const WRITE = { file_path: 'new.txt', content: 'Hi\n' };

describe('The command line with rules', () => {
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

  const run = (...args: readonly string[]): Promise<HeadlessResult> =>
    commandInProcess(['-p', 'Do it', ...args], {
      cwd: workspace.path,
      environment: {
        GEMINI_API_KEY: 'test-key',
        GOOGLE_GEMINI_BASE_URL: endpoint().url,
        GANTRY_HOME: join(home.path, '.gantry'),
        GEMINI_CLI_HOME: home.path,
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'),
      },
    });
  const written = (name: string): Promise<string | undefined> =>
    readFile(join(workspace.path, name), 'utf8').catch(() => undefined);
  /** What the model was told about its calls. */
  const told = (): string => JSON.stringify(endpoint().requests.at(-1)?.toolResults);
  const calls = (name: string, args: Record<string, unknown>): void => {
    endpoint().reply(call(name, args));
    endpoint().reply('I could not.');
  };
  const command = (text: string): [string, Record<string, unknown>] => ['run_shell_command', { command: text }];

  describe('in default mode', () => {
    const refused: readonly [string, Record<string, unknown>][] = [['write_file', WRITE], command('touch made')];
    for (const [name, args] of refused) {
      it(`refuses ${name}, and names the rule and the flags that would allow it`, async () => {
        calls(name, args);
        const { code, stdout, stderr } = await run('--trust');
        assert.deepEqual([code, stdout], [0, 'I could not.\n']);
        assert.deepEqual([await written('new.txt'), await written('made')], [undefined, undefined]);
        for (const text of [told(), stderr]) assert.match(text, /write\.toml:\d+ \(shipped\)/);
        for (const text of [told(), stderr]) assert.match(text, /--policy .*--approval-mode/);
        assert.match(stderr, new RegExp(`^Refused: ${name} is not allowed\\. [^\\n]+\\n$`));
      });
    }

    it('says so in the events too', async () => {
      calls('write_file', WRITE);
      const { stdout } = await run('--trust', '--output', 'stream-json');
      const events = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const { isError, data, content } = events.find(({ type }) => type === 'tool_response');
      assert.deepEqual([isError, data.errorType, data.policy.decision], [true, 'policy_violation', 'deny']);
      assert.match(data.policy.why, /write\.toml:\d+ \(shipped\)/);
      assert.match(content[0].text, /--approval-mode/);
      assert.equal(events.at(-1).reason, 'completed');
    });

    it('reads without a word about it', async () => {
      await workspace.write({ 'note.txt': 'The answer is 42.\n' });
      endpoint().reply(call('read_file', { file_path: 'note.txt' }));
      endpoint().reply('42.');
      assert.deepEqual(await run('--trust'), { code: 0, stdout: '42.\n', stderr: '' });
      assert.match(told(), /The answer is 42\./);
    });

    for (const mode of ['default', 'autoEdit']) {
      it(`runs commands that only read, in ${mode} mode`, async () => {
        await workspace.write({ 'note.txt': 'The answer is 42.\n', '.env': 'KEY=hidden\n' });
        execFileSync('git', ['init', '--quiet'], { cwd: workspace.path });
        const lines = ['ls', 'pwd', 'cat note.txt', 'git status', 'cat .env', 'ls > list'];
        endpoint().reply(...lines.map((line) => call(...command(line))));
        endpoint().reply('I looked.');
        const { code, stderr } = await run('--trust', '--approval-mode', mode);
        assert.equal(code, 0);
        assert.match(stderr, /^(?:Refused: run_shell_command [^\n]+\n){2}$/);
        const results =
          endpoint()
            .requests.at(-1)
            ?.toolResults.map((result) => JSON.stringify(result)) ?? [];
        const seen = [/note\.txt/, /gantry-/, /The answer is 42/, /On branch/, /not allowed/, /not allowed/];
        seen.forEach((pattern, index) => {
          assert.match(results[index] ?? '', pattern, lines[index]);
        });
        assert.doesNotMatch(told(), /KEY=hidden/);
      });
    }

    it('has nobody to answer a question of the model', async () => {
      const question = { header: 'Name', question: 'Which name?', type: 'text' };
      calls('ask_user', { questions: [question] });
      assert.equal((await run('--trust')).code, 0);
      assert.match(told(), /Decide by yourself.*non-interactive\.toml:\d+/);
    });
  });

  describe('with --policy', () => {
    it('runs exactly what the rule allows', async () => {
      await home.write({ 'mine.toml': ALLOW_TOUCH });
      endpoint().reply(call(...command('touch made')), call(...command('touch other')));
      endpoint().reply('Half of it.');
      const { code, stderr } = await run('--trust', '--policy', join(home.path, 'mine.toml'));
      assert.equal(code, 0);
      assert.deepEqual([await written('made'), await written('other')], ['', undefined]);
      assert.match(stderr, /^Refused: run_shell_command [^\n]+write\.toml:\d+[^\n]+\n$/);
    });

    it('names what is wrong in a file and where, and has its other rules in force', async () => {
      await home.write({
        'mine.toml': `[[rule]]\ntoolName = "write_file"\ndecision = "maybe"\npriority = 1\n\n${ALLOW_TOUCH}`,
      });
      calls(...command('touch made'));
      const { code, stderr } = await run('--trust', '--policy', join(home.path, 'mine.toml'));
      assert.equal(code, 0);
      assert.ok(stderr.startsWith(join(home.path, 'mine.toml:')), stderr);
      assert.match(stderr, /^[^\n]+mine\.toml:[123]: [^\n]*decision[^\n]*\n$/);
      assert.equal(await written('made'), '');
    });

    for (const name of ['missing.toml', 'rules.txt']) {
      it(`exits with 52 before anything is sent when it is ${name}`, async () => {
        await home.write({ 'rules.txt': ALLOW_TOUCH });
        const { code, stdout, stderr } = await run('--policy', join(home.path, name));
        assert.deepEqual([code, stdout], [52, '']);
        assert.match(stderr, new RegExp(`^The policy [^\\n]+${name} cannot be used\\. [^\\n]+Nothing was sent\\.\\n$`));
        assert.equal(endpoint().requests.length, 0);
      });
    }
  });

  describe('with --approval-mode', () => {
    it('autoEdit changes files, and still refuses commands', async () => {
      endpoint().reply(call('write_file', WRITE), call(...command('touch made')));
      endpoint().reply('Half of it.');
      const { code, stderr } = await run('--trust', '--approval-mode', 'autoEdit');
      assert.deepEqual([code, await written('new.txt'), await written('made')], [0, 'Hi\n', undefined]);
      assert.match(stderr, /^Refused: run_shell_command [^\n]+\n$/);
    });

    it('yolo runs everything but a change to a protected file, and says why', async () => {
      const hook = { file_path: '.git/hooks/pre-commit', content: 'evil' };
      endpoint().reply(call(...command('touch made')), call('write_file', hook));
      endpoint().reply('Half of it.');
      const { code, stderr } = await run('--trust', '--approval-mode', 'yolo');
      assert.deepEqual([code, await written('made'), await written('.git/hooks/pre-commit')], [0, '', undefined]);
      assert.match(
        stderr,
        /^Refused: write_file [^\n]+\.git\/hooks\/pre-commit is protected [^\n]+requires approval in every mode[^\n]+\n$/,
      );
      assert.match(told(), /No rule or mode allows this without a person/);
    });

    it('plan changes nothing', async () => {
      calls('write_file', WRITE);
      const { code, stderr } = await run('--trust', '--approval-mode', 'plan');
      assert.deepEqual([code, await written('new.txt')], [0, undefined]);
      assert.match(stderr, /^Refused: write_file is off in plan mode/);
    });

    it('plan runs a command that only reads, if the sandbox works, and no other command', async () => {
      await workspace.write({ 'a.txt': 'the text' });
      const isConfined = 'tool' in (await findSandbox());
      for (const [text, runs] of [
        ['cat a.txt', isConfined],
        ['touch made', false],
      ] as const) {
        calls(...command(text));
        const { code, stderr } = await run('--trust', '--approval-mode', 'plan');
        assert.equal(code, 0);
        assert.deepEqual([/the text/.test(told()), stderr === ''], [runs, runs], `${told()} ${stderr}`);
      }
      assert.equal(await written('made'), undefined);
    });

    it('plan stays on, as nobody can approve a plan, whatever rules say', async () => {
      await home.write({ 'all.toml': '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 1\n' });
      endpoint().reply(call('write_file', { file_path: 'plan.md', content: '# Plan\n' }));
      endpoint().reply(call('exit_plan_mode', { plan_filename: 'plan.md' }));
      calls('write_file', WRITE);
      const { stderr } = await run('--trust', '--approval-mode', 'plan', '--policy', join(home.path, 'all.toml'));
      assert.match(
        stderr,
        /^Refused: exit_plan_mode requires[^\n]+nobody can be asked[^\n]+\nRefused: write_file is off in/,
      );
      assert.equal(await written('new.txt'), undefined);
    });

    it('plan is not entered without anybody who could end it', async () => {
      await home.write({ 'all.toml': '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 1\n' });
      endpoint().reply(call('enter_plan_mode', {}));
      calls('write_file', WRITE);
      const { stderr } = await run('--trust', '--policy', join(home.path, 'all.toml'));
      assert.equal(await written('new.txt'), 'Hi\n', stderr);
    });

    it('yolo is not kept for the next time', async () => {
      calls(...command('touch made'));
      await run('--trust', '--approval-mode', 'yolo');
      calls('write_file', WRITE);
      const { code, stderr } = await run('--trust', '--resume', 'latest');
      assert.deepEqual([code, await written('made'), await written('new.txt')], [0, '', undefined]);
      assert.match(stderr, /^Refused: write_file is not allowed/);
    });
  });

  describe('without --trust', () => {
    it('only reads, in any mode and with any rule, and says what would change that', async () => {
      await home.write({ 'mine.toml': ALLOW_TOUCH });
      endpoint().reply(call('write_file', WRITE), call(...command('touch made')));
      endpoint().reply('I could not.');
      const { code, stderr } = await run('--approval-mode', 'yolo', '--policy', join(home.path, 'mine.toml'));
      assert.deepEqual([code, await written('new.txt'), await written('made')], [0, undefined, undefined]);
      assert.match(stderr, /^(Refused: [^\n]+not trusted[^\n]+\n){2}This folder is not trusted.*--trust\.\n$/);
    });

    it('reads no rules and no hooks of the folder', async () => {
      await workspace.write({
        '.gemini/policies/own.toml': 'nonsense',
        ...settingsWith(forEvents({ BeforeAgent: 'touch made' })),
      });
      endpoint().reply('Hello.');
      assert.deepEqual(await run(), { code: 0, stdout: 'Hello.\n', stderr: '' });
      assert.equal(await written('made'), undefined);
    });
  });

  it('does not run hooks of the folder that nobody has accepted, and names them', async () => {
    await workspace.write(settingsWith(forEvents({ BeforeAgent: 'touch made' })));
    endpoint().reply('Hello.');
    const { code, stdout, stderr } = await run('--trust');
    assert.deepEqual([code, stdout, await written('made')], [0, 'Hello.\n', undefined]);
    assert.match(
      stderr,
      /settings\.json:\d+.*BeforeAgent.*requires approval.*touch made\nTo approve[^\n]+Review Hooks/,
    );
  });

  it('says which rules of the folder require approval, and where to give it', async () => {
    await workspace.write({ '.gemini/policies/own.toml': ALLOW_TOUCH });
    calls(...command('touch made'));
    const { code, stderr } = await run('--trust');
    assert.deepEqual([code, await written('made')], [0, undefined]);
    assert.match(
      stderr,
      /^[^\n]+own\.toml:\d+: [^\n]+after you approve the file\. To approve[^\n]+Open Policies[^\n]+--policy\.\nRefused: run_shell_command/,
    );
  });
});

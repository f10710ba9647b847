import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { call } from '../../support/gemini/script.ts';
import { useGemini } from '../../support/gemini/suite.ts';
import type { HeadlessResult } from '../../support/headless.ts';
import { commandInProcess } from '../../support/in-process.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { forEvents, prints, settingsWith } from '../hooks/hook-builders.ts';

type Hooks = Parameters<typeof forEvents>[0];

const READ = call('read_file', { file_path: 'note.txt' });

describe('The command line, with hooks of the user', function () {
  this.timeout(20_000);
  const endpoint = useGemini();
  let workspace: TempWorkspace;
  let home: TempWorkspace;

  beforeEach(async () => {
    workspace = await createTempWorkspace({ 'note.txt': 'The answer is 42.\n' });
    home = await createTempWorkspace();
  });
  afterEach(async () => {
    await workspace.dispose();
    await home.dispose();
  });

  const run = async (hooks: Hooks, ...args: readonly string[]): Promise<HeadlessResult> => {
    await home.write(settingsWith(forEvents(hooks)));
    return commandInProcess(['-p', 'Hi', '--trust', '--model', 'gemini-2.5-flash', ...args], {
      cwd: workspace.path,
      environment: {
        GEMINI_API_KEY: 'test-key',
        GOOGLE_GEMINI_BASE_URL: endpoint().url,
        GEMINI_CLI_HOME: home.path,
        GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home.path, 'system.json'),
        GANTRY_HOME: home.path,
        HOME: home.path,
        PATH: process.env['PATH'] ?? '',
      },
    });
  };

  const STOP = prints({ continue: false, stopReason: 'Not today' });
  const DENY = prints({ decision: 'deny', reason: 'Not like this' });
  const stopped = ['A hook ended the run: Not today\n', 'hook_stopped'] as const;
  const blocked = ['A hook blocked this. Not like this\n', 'hook_blocked'] as const;

  const rows: readonly [what: string, Hooks, replies: number, stderr: string, exitReason: string][] = [
    ['a stop before the agent', { BeforeAgent: STOP }, 0, ...stopped],
    ['a stop before the model', { BeforeModel: STOP }, 0, ...stopped],
    ['a stop before a tool', { BeforeTool: STOP }, 1, ...stopped],
    ['a stop behind a tool', { AfterTool: STOP }, 1, ...stopped],
    ['a stop behind the agent', { AfterAgent: STOP }, 2, ...stopped],
    ['a no before the agent', { BeforeAgent: DENY }, 0, ...blocked],
    ['a no before the model', { BeforeModel: DENY }, 0, ...blocked],
    ['a no to a tool', { BeforeTool: DENY }, 2, 'Refused: A hook refused this: Not like this\n', 'completed'],
    [
      'a no to what a tool returned',
      { AfterTool: DENY },
      2,
      'Refused: a hook withheld the result of read_file: Not like this\n',
      'completed',
    ],
    [
      'a message',
      { BeforeAgent: prints({ systemMessage: 'Be careful' }) },
      2,
      `The hook ${prints({ systemMessage: 'Be careful' })}: Be careful\n`,
      'completed',
    ],
  ];
  for (const [what, hooks, replies, expected, exitReason] of rows) {
    it(`says on stderr and in JSON what hooks say: ${what}`, async () => {
      for (const reply of [READ, 'Done.'].slice(0, replies)) endpoint().reply(reply);
      const { code, stdout, stderr } = await run(hooks, '--output', 'json');
      assert.deepEqual([code, stderr], [0, expected]);
      const summary = JSON.parse(stdout);
      assert.equal(summary.exitReason, exitReason);
      const said = [...(summary.hooks ?? []), ...summary.toolCalls.flatMap(({ refused = [] }) => refused)];
      assert.deepEqual(said, [expected.replace(/^Refused: /, '').trimEnd()]);
      assert.equal(endpoint().requests.length, replies);
    });
  }

  it('begins the second answer, which a hook wanted, on a line of its own', async () => {
    const once = `[ -e again ] && exit 0; touch again; echo 'Run the tests' >&2; exit 2`;
    for (const output of ['text', 'json']) {
      await rm(join(workspace.path, 'again'), { force: true });
      endpoint().reply('First.');
      endpoint().reply('Second.');
      const { stdout, stderr } = await run({ AfterAgent: once }, '--output', output);
      assert.equal(stderr, 'A hook made the agent continue: Run the tests\n');
      assert.equal(output === 'text' ? stdout : `${JSON.parse(stdout).response}\n`, 'First.\nSecond.\n');
    }
  });

  it('keeps an answer in one piece that hooks speak into', async () => {
    endpoint().reply('One ', 'answer.');
    const { stdout } = await run({ AfterModel: prints({ systemMessage: 'Heard' }) });
    assert.equal(stdout, 'One answer.\n');
  });
});

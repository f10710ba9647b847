import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { runPlan } from '../../../extension/hooks/hook-system.ts';
import type { CommandHook, HookResult, RuntimeHook } from '../../../extension/hooks/hook-types.ts';
import { commandLine, runHook } from '../../../extension/hooks/run-hook.ts';
import { noticedTimeOf } from '../../support/noticed-time.ts';
import { eventually } from '../../support/poll.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { commandHook, input, NEVER, prints } from './hook-builders.ts';

describe('A hook that is run', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await tempFolder('hooks');
  });
  afterEach(() => folder.dispose());

  const place = () => ({ sessionId: 's-1', folder: folder.path, plansFolder: '/plans' });
  const run = (hook: CommandHook | RuntimeHook, signal = NEVER, environment = process.env) =>
    runHook(hook, input('BeforeTool'), { place: place(), environment, signal, limitMs: Number.POSITIVE_INFINITY });
  const file = (name: string) => readFile(join(folder.path, name), 'utf8');

  it('gets its input on stdin and runs in the project', async () => {
    const { success } = await run(commandHook('cat > seen.json; pwd > where'));
    assert.equal(success, true);
    assert.deepEqual(JSON.parse(await file('seen.json')), input('BeforeTool'));
    assert.equal((await file('where')).trim(), folder.path);
  });

  it("finds names and its own variables in its environment, and nothing that is ours or the editor's", async () => {
    const environment = { PATH: process.env['PATH'], GEMINI_API_KEY: 'k1', GOOGLE_API_KEY: 'k2', KEPT: 'yes' };
    const internals = { VSCODE_IPC_HOOK_CLI: '/run/editor.sock', NODE_OPTIONS: '--require /debugger.js' };
    await run(commandHook('env > env.txt', { env: { MINE: '1', KEPT: 'changed' } }), NEVER, {
      ...environment,
      ...internals,
    });
    const seen = new Map((await file('env.txt')).split('\n').map((line) => line.split('=', 2) as [string, string]));
    const names = ['GEMINI_PROJECT_DIR', 'GEMINI_CWD', 'CLAUDE_PROJECT_DIR', 'GEMINI_PLANS_DIR', 'GEMINI_SESSION_ID'];
    assert.deepEqual(
      names.map((name) => seen.get(name)),
      [folder.path, folder.path, folder.path, '/plans', 's-1'],
    );
    assert.deepEqual([seen.get('MINE'), seen.get('KEPT')], ['1', 'changed']);
    const gone = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', ...Object.keys(internals)];
    assert.deepEqual(
      gone.filter((name) => seen.has(name)),
      [],
    );
  });

  it('has its variables filled in by the shell, not by us', async () => {
    await run(commandHook(`echo '$GEMINI_CWD' "$GEMINI_CWD" > said`));
    assert.equal((await file('said')).trim(), `$GEMINI_CWD ${folder.path}`);
  });

  it('starts without the files of a login, also where no shell started us', async () => {
    for (const SHLVL of [undefined, '0']) {
      const environment = { PATH: process.env['PATH'], HOME: folder.path, SHLVL };
      await writeFile(join(folder.path, '.bashrc'), 'touch sourced');
      await run(commandHook('true'), NEVER, environment);
      await assert.rejects(file('sourced'));
    }
  });

  it('may ignore its input', async () => {
    const huge = input('AfterModel', { text: 'x'.repeat(5_000_000) });
    const limits = { place: place(), environment: process.env, signal: NEVER, limitMs: 60_000 };
    assert.equal((await runHook(commandHook('exit 0'), huge, limits)).success, true);
  });

  it('is ended at its time limit with all it started, whatever it ignores', async () => {
    const script = `trap '' TERM HUP INT; (trap '' TERM HUP INT; echo $BASHPID > grandchild; exec sleep 300) & echo $$ > child; wait; sleep 300`;
    const time = new VirtualTime();
    const limits = { place: place(), environment: process.env, signal: NEVER, limitMs: 60_000, alarm: time.alarm };
    const running = runHook(commandHook(script, { timeoutMs: 1000 }), input('BeforeTool'), limits);
    const pidIn = (name: string): Promise<number> =>
      eventually(`the ${name}`, async () => Number(await file(name).catch(() => '')) || false);
    const pids = [await pidIn('child'), await pidIn('grandchild')];
    time.pass(1000 / 60_000);
    const waited = await noticedTimeOf(async () => {
      const { success, failure } = await running;
      assert.deepEqual([success, failure?.kind], [false, 'timeout']);
    });
    assert.ok(waited < 3000, 'it was waited for');
    for (const pid of pids) await eventually(`${pid} to be gone`, async () => !(await isAlive(pid)));
  });

  it('does not keep anyone waiting for what it left in the background', async () => {
    const waited = await noticedTimeOf(async () => {
      assert.equal((await run(commandHook('sleep 300 & echo $! > left'))).success, true);
    });
    assert.ok(waited < 3000, 'it was waited for');
    const pid = Number(await file('left'));
    await eventually('it to be gone', async () => !(await isAlive(pid)));
  });

  it('ends when the user stops the run', async () => {
    const stop = new AbortController();
    const running = run(commandHook('echo $$ > child; exec sleep 300'), stop.signal);
    const pid = await eventually('the hook to run', async () => Number(await file('child').catch(() => '')) || false);
    stop.abort();
    const { success, failure } = await running;
    assert.deepEqual([success, failure?.kind], [false, 'stopped']);
    await eventually('it to be gone', async () => !(await isAlive(pid)));
  });

  const OPEN: readonly [string, Partial<CommandHook> & { command: string }, string][] = [
    ['prints more than anyone reads', { command: 'head -c 3000000 /dev/zero | tr "\\0" x' }, 'too_much'],
    ['is killed', { command: 'kill -9 $$' }, 'killed'],
  ];
  for (const [what, { command }, kind] of OPEN) {
    it(`gives no answer when it ${what}`, async () => {
      const { success, output, failure } = await run(commandHook(command));
      assert.deepEqual([success, output, failure?.kind], [false, undefined, kind]);
    });
  }

  it('still blocks with its exit code when it prints too much', async () => {
    const { output } = await run(commandHook('head -c 3000000 /dev/zero | tr "\\0" x; exit 2'));
    assert.equal(output?.decision, 'deny');
    assert.ok((output?.reason?.length ?? 0) < 40_000);
  });

  it('gives no answer when it cannot be started', async () => {
    const limits = { place: { ...place(), folder: '/nowhere/at/all' }, environment: process.env, signal: NEVER };
    const { failure } = await runHook(commandHook('true'), input('BeforeTool'), { ...limits, limitMs: 60_000 });
    assert.equal(failure?.kind, 'not_started');
  });

  it('may be code of ours, with the same limits', async () => {
    const own = (action: RuntimeHook['action']): RuntimeHook => ({
      type: 'runtime',
      name: 'own',
      source: 'runtime',
      timeoutMs: 50,
      action,
    });
    const [answers, hangs, throws, babbles] = await Promise.all([
      run(own(({ hook_event_name }) => Promise.resolve({ decision: 'deny', reason: hook_event_name }))),
      run(own(() => new Promise(() => undefined))),
      run(own(() => Promise.reject(new Error('no')))),
      run(own(() => Promise.resolve('text'))),
    ]);
    assert.deepEqual(given(answers), { success: true, decision: 'deny', reason: 'BeforeTool', failure: undefined });
    assert.deepEqual([hangs.failure?.kind, throws.failure?.kind], ['timeout', 'killed']);
    assert.deepEqual([babbles.success, babbles.output], [true, undefined]);
  });

  it('has its exit code handed on by PowerShell, and is left as it is for other shells', () => {
    assert.match(commandLine('node x.js', 'win32'), /^node x\.js\n.*exit \$LASTEXITCODE/);
    assert.equal(commandLine('node x.js', 'linux'), 'node x.js');
  });

  it('is not run by what a folder on the PATH calls bash', async () => {
    await writeFile(join(folder.path, 'bash'), '#!/bin/sh\necho fake > said\n', { mode: 0o755 });
    await run(commandHook('echo real > said'), NEVER, { PATH: `${folder.path}:${process.env['PATH']}` });
    assert.equal(await file('said'), 'real\n');
  });
});

describe('Several hooks', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await tempFolder('hooks');
  });
  afterEach(() => folder.dispose());

  const runAll = (commands: readonly string[], sequential: boolean, told = input('BeforeAgent', { prompt: 'Hi' })) =>
    runPlan({ hooks: commands.map((command) => commandHook(command)), sequential }, told, {
      place: { sessionId: 's', folder: folder.path, plansFolder: '' },
      environment: process.env,
      signal: NEVER,
      limitMs: 20_000,
    });

  it('run side by side: each waits for the other', async () => {
    const meets = (mine: string, other: string): string => `touch ${mine}; until [ -e ${other} ]; do sleep 0.02; done`;
    const results = await runAll([meets('a', 'b'), meets('b', 'a')], false);
    assert.deepEqual(
      results.map(({ success }) => success),
      [true, true],
    );
  });

  it('run one after the other where one wants it', async () => {
    await runAll(['sleep 0.1; echo one >> order', 'echo two >> order'], true);
    assert.equal(await readFile(join(folder.path, 'order'), 'utf8'), 'one\ntwo\n');
  });

  const FEEDS: readonly [string, ReturnType<typeof input>, object, unknown][] = [
    ['a prompt', input('BeforeAgent', { prompt: 'Hi' }), { additionalContext: 'More' }, { prompt: 'Hi\n\nMore' }],
    [
      'arguments',
      input('BeforeTool', { tool_name: 't', tool_input: { a: 1, b: 1 } }),
      { tool_input: { b: 2 } },
      { tool_name: 't', tool_input: { a: 1, b: 2 } },
    ],
    [
      'a request',
      input('BeforeModel', { llm_request: { model: 'm', messages: [] } }),
      { llm_request: { model: 'n' } },
      { llm_request: { model: 'n', messages: [] } },
    ],
    ['nothing of a result', input('AfterTool', { tool_input: {} }), { tool_input: { x: 1 } }, { tool_input: {} }],
  ];
  for (const [what, told, change, expected] of FEEDS) {
    it(`pass on what they made of ${what}`, async () => {
      await runAll([prints({ hookSpecificOutput: change }), 'cat > seen.json'], true, told);
      const seen = JSON.parse(await readFile(join(folder.path, 'seen.json'), 'utf8'));
      assert.deepEqual(seen, { ...told, ...(expected as object) });
    });
  }

  it('pass nothing on from one that failed', async () => {
    await runAll([prints({ hookSpecificOutput: { additionalContext: 'More' } }, 1), 'cat > seen.json'], true);
    assert.equal(JSON.parse(await readFile(join(folder.path, 'seen.json'), 'utf8')).prompt, 'Hi');
  });
});

function given({ success, output, failure }: HookResult): object {
  return { success, decision: output?.decision, reason: output?.reason, failure };
}

/** A killed process whose parent did not look yet is dead all the same. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (status !== undefined) return !/\) Z /.test(status);
  if (process.platform === 'linux') return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  bareEnvironment,
  type ProgramEnd,
  type ProgramRun,
  runProgram,
} from '../../../extension/processes/run-program.ts';
import { eventually } from '../../support/poll.ts';
import { isRunning } from '../../support/running.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const MEGABYTE = 1024 * 1024;

describe('Running a program', () => {
  let folder: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder('run-program');
  });
  afterEach(() => folder.dispose());

  const run = (changes: Partial<ProgramRun>): Promise<ProgramEnd> =>
    runProgram({
      file: process.execPath,
      args: [],
      folder: folder.path,
      environment: { PATH: process.env['PATH'] },
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      maxBytes: MEGABYTE,
      ...changes,
    });
  const node = (script: string, changes: Partial<ProgramRun> = {}): Promise<ProgramEnd> =>
    run({ args: ['-e', script], ...changes });
  const shell = (script: string, changes: Partial<ProgramRun> = {}): Promise<ProgramEnd> =>
    run({ file: '/bin/sh', args: ['-c', script], ...changes });
  const pidIn = (name: string): Promise<number> =>
    eventually(`a process id in ${name}`, async () => Number(await readFile(join(folder.path, name), 'utf8')) || false);

  it('returns its output and exit code', async () => {
    const end = await node('console.log("out"); console.error("err"); process.exitCode = 3');
    assert.deepEqual(end, {
      exitCode: 3,
      signal: null,
      stdout: 'out\n',
      stderr: 'err\n',
      timedOut: false,
      truncated: false,
    });
  });

  it('gives arguments as they are, with nothing expanded', async () => {
    const wild = ['$(touch pwned)', '`touch pwned`', '; touch pwned', '*', '', 'a b', '"', "'"];
    const { stdout } = await run({ args: ['-p', 'JSON.stringify(process.argv.slice(1))', '--', ...wild] });
    assert.deepEqual(JSON.parse(stdout), wild);
  });

  it('runs in the folder, with the environment it is given and no other', async () => {
    const { stdout } = await node('console.log(JSON.stringify([process.cwd(), process.env]))', {
      environment: { ONLY: 'this', NOT: undefined },
    });
    const [cwd, environment] = JSON.parse(stdout);
    assert.equal(cwd, folder.path);
    assert.deepEqual(
      Object.keys(environment).filter((name) => name !== '__CF_USER_TEXT_ENCODING'),
      ['ONLY'],
    );
  });

  it('hands over input', async () => {
    const input = JSON.stringify({ text: 'ä'.repeat(MEGABYTE / 4) });
    const { stdout } = await node('process.stdin.pipe(process.stdout)', { input });
    assert.equal(stdout, input);
  });

  it('does not mind a program that does not read its input', async () => {
    const end = await shell('exit 0', { input: 'x'.repeat(4 * MEGABYTE) });
    assert.deepEqual([end.exitCode, end.failure], [0, undefined]);
  });

  it('has nothing to read without input', async () => {
    assert.equal((await shell('cat; echo done')).stdout, 'done\n');
  });

  it('keeps as much output as it is told to, and lets the program finish', async () => {
    const end = await node('process.stdout.write("x".repeat(5e6), () => console.error("finished"))', {
      maxBytes: 1000,
    });
    assert.equal(end.stdout, 'x'.repeat(1000));
    assert.equal(end.truncated, true);
    assert.equal(end.stderr, 'finished\n');
    assert.equal(end.exitCode, 0);
  });

  it('passes output on as it comes', async () => {
    const chunks: string[] = [];
    const end = await shell('echo one; echo two', { onStdout: (chunk) => chunks.push(chunk.toString()) });
    assert.equal(chunks.join(''), 'one\ntwo\n');
    assert.equal(end.stdout, '');
  });

  const unstartable: readonly [title: string, changes: Partial<ProgramRun>][] = [
    ['a program that is not there', { file: '/nonexistent/program' }],
    ['a folder that is not there', { folder: '/nonexistent' }],
    ['an argument with a NUL', { args: ['a\0b'] }],
    ['arguments that are too long', { args: ['x'.repeat(8 * MEGABYTE)] }],
    ['a call that is cancelled already', { signal: AbortSignal.abort() }],
  ];
  for (const [title, changes] of unstartable) {
    it(`says why it could not start: ${title}`, async () => {
      const end = await run(changes);
      assert.ok(end.failure);
      assert.equal(end.exitCode, null);
    });
  }

  /** Ignores what can be ignored, and so does its child. */
  const STUBBORN = `trap '' TERM INT HUP; sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 1; done' & echo $$ > parent; wait; while :; do sleep 1; done`;

  for (const how of ['timeout', 'abort'] as const) {
    it(`ends a program and its children that ignore SIGTERM: ${how}`, async () => {
      const stop = new AbortController();
      const time = new VirtualTime();
      const running = shell(STUBBORN, { signal: stop.signal, timeoutMs: 60_000, alarm: time.alarm });
      const pids = [await pidIn('parent'), await pidIn('child')];
      if (how === 'abort') stop.abort();
      else time.pass(1);
      const end = await running;
      assert.equal(end.timedOut, how === 'timeout');
      assert.equal(end.signal, 'SIGKILL');
      await eventually('both processes to be gone', () => !pids.some(isRunning));
    });
  }

  it('lets a program that is asked to end put its things away', async () => {
    const stop = new AbortController();
    const running = shell(`trap 'echo bye; exit 7' TERM; echo $$ > ready; while :; do sleep 0.05; done`, {
      signal: stop.signal,
    });
    await pidIn('ready');
    stop.abort();
    const end = await running;
    assert.deepEqual([end.stdout, end.exitCode, end.timedOut], ['bye\n', 7, false]);
  });

  it('does not wait for a child that holds on to the output', async () => {
    const end = await shell('sleep 30 & echo $! > child; echo started');
    assert.equal(end.stdout, 'started\n');
    assert.equal(end.exitCode, 0);
    process.kill(await pidIn('child'));
  });

  it('resolves at the timeout even if a child has left the group with the output', async () => {
    const time = new VirtualTime();
    const running = node(
      `const child = require('child_process').spawn('sleep', ['30'], { detached: true, stdio: 'inherit' });
       require('fs').writeFileSync('child', String(child.pid));
       setInterval(() => {}, 1e6);`,
      { timeoutMs: 60_000, alarm: time.alarm },
    );
    const child = await pidIn('child');
    time.pass(1);
    assert.equal((await running).timedOut, true);
    process.kill(child);
  });
});

describe('A bare environment', () => {
  it('has the language, what Windows needs, and nothing that is a setting', () => {
    const bare = bareEnvironment({
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      SystemRoot: 'C:\\Windows',
      LC_CTYPE: undefined,
      RIPGREP_CONFIG_PATH: '/evil',
      PATH: '/evil',
      HOME: '/evil',
      LD_PRELOAD: '/evil',
      NODE_OPTIONS: '--require /evil',
      GEMINI_API_KEY: 'secret',
    });
    assert.deepEqual(bare, { LANG: 'de_DE.UTF-8', LC_ALL: 'C', SystemRoot: 'C:\\Windows' });
  });
});

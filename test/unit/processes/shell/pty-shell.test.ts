import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createShell } from '../../../../extension/processes/shell/create-shell.ts';
import { PipeShell } from '../../../../extension/processes/shell/pipe-shell.ts';
import { loadPty, PtyShell } from '../../../../extension/processes/shell/pty-shell.ts';
import { leaderArguments } from '../../../../extension/processes/shell/session-leader.ts';
import { createProcessMark, type ProcessMark } from '../../../support/marked-processes.ts';
import { ASSETS, createPtyShell, type Watched, watch } from '../../../support/shells.ts';

describe('The terminal of a command', () => {
  let mark: ProcessMark;

  beforeEach(() => {
    mark = createProcessMark();
  });
  afterEach(() => mark.expectNone());

  const start = (command: string, size = {}): Watched =>
    watch(createPtyShell({ ...process.env, ...mark.environment }).start(command, { folder: tmpdir(), ...size }));

  it('is one', async () => {
    const watched = start('test -t 0 && test -t 1 && test -t 2 && tty');
    assert.equal((await watched.exit).exitCode, 0);
    assert.match(watched.output(), /^\/dev\//);
  });

  it('can be typed into', async () => {
    const watched = start('read -p "Name? " name; echo "Hello $name"');
    await watched.sees('Name\\? ');
    watched.process.write('Ada\r');
    assert.equal((await watched.exit).exitCode, 0);
    assert.match(watched.output(), /Hello Ada/);
  });

  it('passes Ctrl+C on', async () => {
    const watched = start('echo ready; sleep 1000; echo not reached');
    await watched.sees('ready');
    watched.process.write('\x03');
    assert.deepEqual(await watched.exit, { exitCode: 130, signal: 'SIGINT' });
    assert.doesNotMatch(watched.output(), /not reached/);
  });

  it('has the size it was given, and takes another one', async () => {
    const watched = start('stty size; read; stty size', { columns: 90, rows: 20 });
    await watched.sees('20 90');
    for (const [columns, rows] of [
      [0, 5],
      [5, -1],
      [Number.NaN, 5],
      [1e9, 5],
    ] as const)
      watched.process.resize(columns, rows);
    watched.process.resize(101, 41);
    watched.process.write('\r');
    await watched.exit;
    assert.match(watched.output(), /41 101/);
  });

  it('is 120 columns wide unless told otherwise', async () => {
    const watched = start('stty size');
    await watched.exit;
    assert.match(watched.output(), /^30 120/);
  });

  it('tells nobody who no longer listens', async () => {
    const { process: running, exit, sees } = start('echo one; read; echo two');
    let heard = '';
    const stop = running.onOutput((chunk) => {
      heard += chunk;
    });
    await sees('one');
    stop();
    running.write('\r');
    await exit;
    assert.doesNotMatch(heard, /two/);
  });

  // Nobody reads the end mark then, and nobody ends the leader.
  for (const [when, command] of [
    ['before the command ends', 'echo ready; sleep 0.2'],
    ['after the command ended', 'echo ready'],
  ] as const) {
    it(`leaves no leader behind when its owner is killed ${when}`, async () => {
      const owner = spawn(
        process.execPath,
        ['-e', OWNER, ASSETS, ...leaderArguments('mark', '/bin/sh', ['-c', command])],
        {
          env: { ...process.env, ...mark.environment },
        },
      );
      await once(owner.stdout, 'data');
      owner.kill('SIGKILL');
      await mark.expectNone();
    });
  }
}).timeout(20_000);

/** Starts a leader and tells when its command has written something, as a window does that is killed later. */
const OWNER = `
  const [assets, ...args] = process.argv.slice(1);
  const { spawn } = require('node:module').createRequire(assets + '/package.json')('@lydell/node-pty');
  spawn('/bin/sh', args, {}).onData((text) => text.includes('ready') && process.stdout.write(text));
`;

describe('The shell of this machine', () => {
  it('has terminals where node-pty is there, and pipes where it is not', () => {
    assert.ok(createShell(ASSETS, () => ({})) instanceof PtyShell);
    assert.ok(createShell('/no/such/assets', () => ({})) instanceof PipeShell);
    assert.equal(loadPty('/no/such/assets'), undefined);
  });
});

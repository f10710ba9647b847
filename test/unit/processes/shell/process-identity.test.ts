import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, it } from 'mocha';
import { sendSignal } from '../../../../extension/processes/shell/end-processes.ts';
import { identityOf, stateOf, survivingProcess } from '../../../../extension/processes/shell/process-identity.ts';
import { eventually } from '../../../support/poll.ts';

const SOMEBODY = 65_533;
const SOMEBODY_ELSE = 65_534;

describe('A process that was written down', () => {
  const groups: number[] = [];
  afterEach(() => {
    for (const pid of groups.splice(0)) sendSignal(-pid, 'SIGKILL');
  });
  const start = (script = 'sleep 100', uid?: number): { child: ChildProcess; pid: number } => {
    const child = spawn('/bin/sh', ['-c', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      ...(uid !== undefined && { uid }),
    });
    assert.ok(child.pid);
    groups.push(child.pid);
    return { child, pid: child.pid };
  };

  it('is known again while it runs, and gone afterwards', async () => {
    const { child, pid } = start();
    const identity = identityOf(pid);
    const startedAt = Date.now();
    assert.equal(await stateOf(identity, startedAt), 'running');
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(await stateOf(identity, startedAt), 'gone');
  });

  it('is not taken for another one that has its id', async function () {
    if (process.platform !== 'linux') this.skip();
    const { pid } = start();
    const { start: began = '' } = identityOf(pid);
    assert.equal(await stateOf({ pid, start: `${began}1` }, Date.now()), 'gone');
    assert.equal(await stateOf({ pid }, Date.now()), 'gone');
  });

  it('that outlived its window can be ended', async () => {
    const { child, pid } = start();
    const survivor = survivingProcess(identityOf(pid), Date.now());
    const exited = once(child, 'exit');
    await survivor.kill();
    await exited;
    assert.deepEqual(await survivor.ended, { exitCode: null, signal: null });
  });

  it('that outlived its window is stopped with what it started, and says when there was nothing to stop', async () => {
    const { child, pid } = start('sleep 100 & echo $!; wait');
    const [said] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    const inner = identityOf(Number(String(said)));
    const startedAt = Date.now();
    const survivor = survivingProcess(identityOf(pid), startedAt);
    let begun = 0;
    const begins = (): void => void begun++;
    assert.equal(await survivor.stop(begins), 'stopped');
    await eventually('what it started to be gone', async () => (await stateOf(inner, startedAt)) === 'gone');
    assert.equal(await survivor.stop(begins), 'ended');
    assert.equal(begun, 1);
  });

  it('that ended meanwhile is not stopped by its id, which another process has', async function () {
    if (process.platform !== 'linux') this.skip();
    const { child, pid } = start();
    const { start: began = '' } = identityOf(pid);
    const survivor = survivingProcess({ pid, start: `${began}1` }, Date.now());
    assert.equal(await survivor.stop(() => assert.fail('It was touched')), 'ended');
    assert.equal(child.exitCode ?? child.signalCode, null);
    assert.equal(await stateOf(identityOf(pid), Date.now()), 'running');
  });

  it('that belongs to another user is left alone, and that is said', async function () {
    // Only root can start a process as somebody else, and be somebody else for a moment.
    if (process.platform !== 'linux' || process.getuid?.() !== 0) this.skip();
    const { pid } = start('sleep 100', SOMEBODY);
    const survivor = survivingProcess(identityOf(pid), Date.now());
    process.seteuid?.(SOMEBODY_ELSE);
    try {
      assert.equal(await survivor.stop(() => assert.fail('It was touched')), 'forbidden');
    } finally {
      process.seteuid?.(0);
    }
    assert.equal(await survivor.stop(), 'stopped');
  });
});

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, it } from 'mocha';
import { identityOf, stateOf } from '../../../../extension/processes/shell/process-identity.ts';
import { survivingProcess } from '../../../../extension/processes/shell/surviving-process.ts';

describe('A process that was written down', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  const start = (): { child: ChildProcess; pid: number } => {
    const child = spawn('/bin/sh', ['-c', 'sleep 100'], { detached: true, stdio: 'ignore' });
    children.push(child);
    assert.ok(child.pid);
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
});

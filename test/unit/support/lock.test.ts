import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withLock } from '../../support/cache/lock.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';

describe('The lock between processes', () => {
  let folder: TempFolder;
  let path: string;

  beforeEach(async () => {
    folder = await tempFolder('lock');
    path = join(folder.path, 'some.lock');
  });

  afterEach(() => folder.dispose());

  it('lets one at a time in', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await delay(5);
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => withLock(path, { timeoutMs: 5_000 }, work)));
    assert.equal(most, 1);
    assert.equal(existsSync(path), false);
  });

  it('is free again after a failure', async () => {
    const failing = withLock(path, { timeoutMs: 1_000 }, () => Promise.reject(new Error('broken')));
    await assert.rejects(failing, /broken/);
    assert.equal(await withLock(path, { timeoutMs: 1_000 }, async () => 'in'), 'in');
  });

  it('takes over from a process that died', async () => {
    const dead = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }).stdout.trim();
    await writeFile(path, dead);
    assert.equal(await withLock(path, { timeoutMs: 5_000 }, async () => 'in'), 'in');
  });

  it('waits for a process that lives, and says for which', async () => {
    await writeFile(path, String(process.ppid));
    const holders: number[] = [];
    const waiting = withLock(path, { timeoutMs: 300, onWait: (holder) => holders.push(holder) }, async () => 'in');
    await assert.rejects(waiting, /in vain/);
    assert.deepEqual(holders, [process.ppid]);
  });
});

import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { LockOwner } from '../../../../extension/sessions/store/lock-file.ts';
import { type HeldLock, lockOwner, takeLock } from '../../../../extension/sessions/store/session-lock.ts';
import { eventually } from '../../../support/poll.ts';
import { repoRoot } from '../../../support/repo.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import type { LockRequest } from './lock-on-request.ts';

describe('The lock of a session', () => {
  let folder: TempFolder;
  let file: string;
  const held: HeldLock[] = [];
  const children: ChildProcess[] = [];

  const take = async (label: string, options: Parameters<typeof takeLock>[2] = {}): Promise<HeldLock | LockOwner> => {
    const taken = await takeLock(folder.path, { label }, options);
    if (taken.kind === 'taken') return taken.by;
    held.push(taken);
    return taken;
  };
  const isHeld = (taken: HeldLock | LockOwner): taken is HeldLock => 'release' in taken;
  const holder = async (): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')).label;

  beforeEach(async () => {
    folder = await tempFolder('lock');
    file = join(folder.path, 'lock');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const lock of held.splice(0)) await lock.release();
    await folder.dispose();
  });

  it('is had by one at a time, also within one process', async () => {
    const first = await take('Window 1');
    assert.ok(isHeld(first) && first.confirm());
    const second = await take('Window 2');
    assert.ok(!isHeld(second));
    assert.deepEqual({ ...second, since: '' }, { pid: process.pid, host: hostname(), label: 'Window 1', since: '' });
    assert.equal(lockOwner(folder.path, Date.now())?.label, 'Window 1');
    await first.release();
    assert.equal(lockOwner(folder.path, Date.now()), undefined);
    assert.ok(isHeld(await take('Window 2')));
    assert.equal(await holder(), 'Window 2');
  });

  it('leaves nothing behind', async () => {
    const lock = await take('Window 1');
    await take('Window 2');
    assert.deepEqual(await readdir(folder.path), ['lock']);
    if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(isHeld(lock));
    await lock.release();
    await lock.release();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('of a process that died is free at once', async () => {
    await abandonedLock(folder.path);
    assert.equal(lockOwner(folder.path, Date.now()), undefined);
    assert.ok(isHeld(await take('Window 1')));
    assert.deepEqual(await readdir(folder.path), ['lock']);
  });

  it('of a process on another machine is free when it gave no sign of life for long', async () => {
    await foreignLock(file, { host: 'elsewhere' });
    const refused = await take('Window 1');
    assert.ok(!isHeld(refused));
    assert.equal(refused.host, 'elsewhere');
    await age(file, 29);
    assert.ok(!isHeld(await take('Window 1')));
    await age(file, 31);
    assert.ok(isHeld(await take('Window 1')));
  });

  it('of a container that shares the name of this machine is not judged by its process number', async () => {
    await foreignLock(file, { pid: deadPid(), pidSpace: 'pid:[1]' });
    assert.ok(!isHeld(await take('Window 1')));
  });

  it('that says nothing is free after a moment', async () => {
    await writeFile(file, '');
    assert.ok(!isHeld(await take('Window 1')));
    await age(file, 3);
    assert.ok(isHeld(await take('Window 1')));
  });

  it('that is damaged is free when it is old', async () => {
    await writeFile(file, '{"pid":');
    await age(file, 29);
    assert.ok(!isHeld(await take('Window 1')));
    await age(file, 31);
    assert.ok(isHeld(await take('Window 1')));
  });

  it('stays with an owner that lives, and the file system says so', async () => {
    const lock = await take('Window 1', { heartbeatMs: 20 });
    await age(file, 3600);
    await eventually('a heartbeat', async () => Date.now() - (await stat(file)).mtimeMs < 60_000);
    assert.ok(!isHeld(await take('Window 2')));
    assert.ok(isHeld(lock) && lock.confirm());
  });

  it('taken over while its owner slept is lost to the owner, once', async () => {
    const lost: unknown[] = [];
    const onLost = (by: LockOwner | undefined): void => void lost.push(by?.label);
    const lock = await take('Window 1', { heartbeatMs: 60_000, staleMs: 2000, onLost });
    await age(file, 31);
    assert.ok(isHeld(await take('Window 2')));
    assert.ok(isHeld(lock));
    await eventually('doubt', () => !lock.confirm());
    assert.ok(!lock.confirm());
    assert.deepEqual(lost, ['Window 2']);
    await lock.release();
    assert.equal(await holder(), 'Window 2');
  });

  it('that was removed by hand is lost', async () => {
    const lost: unknown[] = [];
    await mkdir(join(folder.path, 'inner'));
    const taken = await takeLock(
      join(folder.path, 'inner'),
      { label: 'Window 1' },
      { heartbeatMs: 20, onLost: (by) => lost.push(by) },
    );
    assert.equal(taken.kind, 'held');
    await rm(join(folder.path, 'inner'), { recursive: true });
    await eventually('the loss', () => lost.length === 1);
    assert.deepEqual(lost, [undefined]);
  });

  it('is taken over although another died while taking it over', async () => {
    const token = await abandonedLock(folder.path);
    await foreignLock(join(folder.path, `lock.over-${token}`), { pid: deadPid() });
    assert.ok(isHeld(await take('Window 1')));
    assert.deepEqual(await readdir(folder.path), ['lock']);
  });

  it('is not taken over while another is about to', async () => {
    const token = await abandonedLock(folder.path);
    await foreignLock(join(folder.path, `lock.over-${token}`), {});
    assert.ok(!isHeld(await take('Window 1')));
  });

  it('cannot be taken in a folder that is not there', async () => {
    await assert.rejects(takeLock(join(folder.path, 'none'), { label: 'Window 1' }), { code: 'ENOENT' });
  });

  it('is won by one of many processes that find it abandoned at once', async () => {
    const racers = await Promise.all(Array.from({ length: 3 }, () => startChild(children)));
    for (let round = 0; round < 25; round++) {
      const inner = join(folder.path, String(round));
      await mkdir(inner);
      await abandonedLock(inner);
      const answers = racers.map((racer) => once(racer, 'message'));
      for (const [index, racer] of racers.entries()) request(racer, { folder: inner, label: String(index) });
      const kinds = (await Promise.all(answers)).map(([answer]) => answer.kind).sort();
      assert.deepEqual(kinds, ['held', 'taken', 'taken'], `round ${round}`);
      assert.deepEqual(await readdir(inner), ['lock']);
    }
  });

  it('passes to another while its process is stopped, which learns of it when it continues', async function () {
    if (process.platform === 'win32') return this.skip();
    const sleeper = await startChild(children);
    const got = once(sleeper, 'message');
    request(sleeper, { folder: folder.path, label: 'Sleeper', heartbeatMs: 20, staleMs: 200 });
    assert.deepEqual(await got, [{ kind: 'held' }, undefined]);
    sleeper.kill('SIGSTOP');
    await eventually('the lock', async () => isHeld(await take('Window 1', { staleMs: 200 })));
    const told = once(sleeper, 'message');
    sleeper.kill('SIGCONT');
    const [lost] = await told;
    assert.equal(lost.kind, 'lost');
    assert.equal(lost.by.label, 'Window 1');
    assert.equal(await holder(), 'Window 1');
  });
});

async function startChild(children: ChildProcess[]): Promise<ChildProcess> {
  const child = fork(join(repoRoot, 'out/test/unit/sessions/store/lock-on-request.mjs'));
  children.push(child);
  await once(child, 'message');
  return child;
}

function request(child: ChildProcess, what: LockRequest): void {
  child.send(what);
}

let dead: number | undefined;
function deadPid(): number {
  dead ??= Number(spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).stdout);
  return dead;
}

/** As a killed process leaves it. Returns its token. */
async function abandonedLock(folder: string): Promise<string> {
  return foreignLock(join(folder, 'lock'), { pid: deadPid() });
}

async function foreignLock(path: string, differences: object): Promise<string> {
  const scratch = await tempFolder('lock-shape');
  const lock = await takeLock(scratch.path, { label: 'Other window' });
  const entry = { ...JSON.parse(await readFile(join(scratch.path, 'lock'), 'utf8')), ...differences };
  if (lock.kind === 'held') await lock.release();
  await scratch.dispose();
  await writeFile(path, JSON.stringify(entry));
  return entry.token;
}

async function age(path: string, seconds: number): Promise<void> {
  const time = Date.now() / 1000 - seconds;
  await utimes(path, time, time);
}

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type LogFailure, logFailure } from '../../../../extension/sessions/store/log-failure.ts';
import { LogFile } from '../../../../extension/sessions/store/log-file.ts';
import { readLog } from '../../../../extension/sessions/store/read-log.ts';
import { eventually } from '../../../support/poll.ts';
import { repoRoot } from '../../../support/repo.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { delta, header, logText, record, sent } from './records.ts';

describe('A conversation whose log cannot be written', () => {
  let temp: TempFolder;
  let folder: string;
  let log: LogFile;
  let child: ChildProcess | undefined;
  const failures: LogFailure[] = [];
  let recoveries = 0;

  beforeEach(async () => {
    temp = await tempFolder('outage');
    folder = join(temp.path, 'one');
    failures.length = 0;
    recoveries = 0;
    log = new LogFile(join(folder, 'log.jsonl'), {
      onFailure: (failure) => failures.push(failure),
      onRecovered: () => recoveries++,
    });
  });
  afterEach(async () => {
    child?.kill();
    await log.close();
    await temp.dispose();
  });

  it('continues, and has everything once its folder can be made', async () => {
    await writeFile(folder, 'in the way');
    log.append(header('one'));
    log.append(sent('m1', 'Hello'));
    await log.synced();
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['missing'],
    );
    assert.equal(recoveries, 0);
    await rm(folder);
    log.append(sent('m2', 'Again'));
    assert.equal(recoveries, 1);
    assert.equal(await readFile(log.path, 'utf8'), logText(header('one'), sent('m1', 'Hello'), sent('m2', 'Again')));
  });

  it('is written by itself when the obstacle is gone', async () => {
    await writeFile(folder, 'in the way');
    log.append(header('one'));
    await rm(folder);
    await eventually('recovery', () => recoveries === 1);
    assert.equal(await readFile(log.path, 'utf8'), logText(header('one')));
    assert.equal(failures.length, 1);
  });

  it('reports each outage once', async () => {
    for (const outage of [1, 2]) {
      await log.close();
      await rm(folder, { recursive: true, force: true });
      await writeFile(folder, 'in the way');
      log = new LogFile(log.path, { onFailure: (failure) => failures.push(failure), onRecovered: () => recoveries++ });
      for (let count = 0; count < 5; count++) log.append(delta(String(count)));
      assert.equal(failures.length, outage);
      await rm(folder);
      log.append(delta('last'));
      assert.equal(recoveries, outage);
    }
  });

  it('says that the disk is full, and keeps what was said until it is not', async function () {
    // A device that is always full, which only Linux has.
    if (!(await stat('/dev/full').catch(() => undefined))) return this.skip();
    log.append(header('one'));
    await log.close();
    await rm(log.path);
    await symlink('/dev/full', log.path);
    log = new LogFile(log.path, { onFailure: (failure) => failures.push(failure), onRecovered: () => recoveries++ });
    log.append(header('one'));
    log.append(sent('m1', 'Hello'));
    await log.synced();
    assert.equal(failures.length, 1);
    assert.equal(failures[0]?.code, 'disk-full');
    assert.match(failures[0]?.text ?? '', /no space left.*kept in memory.*Free some space/s);
    await rm(log.path);
    await eventually('recovery', () => recoveries === 1);
    assert.equal(await readFile(log.path, 'utf8'), logText(header('one'), sent('m1', 'Hello')));
  });

  it('continues a line that the disk took in part', async function () {
    // A process may be kept from writing files beyond a size: the kernel takes what fits and refuses the rest.
    if (process.platform !== 'linux' || spawnSync('prlimit', ['--version']).status !== 0) return this.skip();
    const program = join(repoRoot, 'out/test/unit/sessions/store/append-on-request.mjs');
    child = spawn('prlimit', ['--fsize=1000:unlimited', process.execPath, program, log.path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const said: unknown[] = [];
    child.on('message', (word) => said.push(word));
    await eventually('the start', () => said.includes('ready'));
    child.send('a'.repeat(600));
    child.send('b'.repeat(600));
    child.send('c'.repeat(600));
    await eventually('the failure', () => said.filter((word) => word === 'appended').length === 3);
    assert.deepEqual(said, ['ready', 'appended', 'disk-full', 'appended', 'appended']);
    assert.equal((await stat(log.path)).size, 1000);
    assert.equal(spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']).status, 0);
    await eventually('recovery', () => said.includes('recovered'));
    const lines = ['a', 'b', 'c'].map((letter) => delta(letter.repeat(600)));
    assert.equal(await readFile(log.path, 'utf8'), logText(...lines));
    const exited = once(child, 'exit');
    child.disconnect();
    await exited;
  });

  it('omits a record that has no JSON form, and says so', async () => {
    log.append(header('one'));
    log.append(record({ type: 'run_ended', reason: 'failed', data: { size: 1n } }));
    log.append(sent('m1', 'Hello'));
    assert.deepEqual(
      failures.map(({ code }) => code),
      ['unwritable-record'],
    );
    assert.deepEqual((await readLog(log.path)).records, [sent('m1', 'Hello')]);
  });

  const texts: readonly [code: string, failure: string, text: RegExp][] = [
    ['ENOSPC', 'disk-full', /no space left/],
    ['EDQUOT', 'disk-full', /no space left/],
    ['EROFS', 'read-only', /is read-only/],
    ['EACCES', 'forbidden', /is not allowed/],
    ['EPERM', 'forbidden', /is not allowed/],
    ['ENOENT', 'missing', /could not be created/],
    ['EIO', 'other', /could not be written: i\/o error \(EIO\)\./],
  ];
  for (const [code, kind, text] of texts) {
    it(`says ${kind} for ${code}`, () => {
      const failure = logFailure('/s/log.jsonl', Object.assign(new Error(`${code}: i/o error, write`), { code }));
      assert.equal(failure.code, kind);
      assert.match(failure.text, text);
      assert.match(failure.text, /\/s\/log\.jsonl.*kept in memory/s);
    });
  }
});

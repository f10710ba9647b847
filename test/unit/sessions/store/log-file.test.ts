import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { LogFile } from '../../../../extension/sessions/store/log-file.ts';
import { readLog } from '../../../../extension/sessions/store/read-log.ts';
import { eventually } from '../../../support/poll.ts';
import { repoRoot } from '../../../support/repo.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { delta, header, logText, sent, writeLog } from './records.ts';

describe('The log of a conversation', () => {
  let temp: TempFolder;
  let path: string;
  const open: LogFile[] = [];
  const newLog = (): LogFile => {
    const log = new LogFile(path);
    open.push(log);
    return log;
  };

  beforeEach(async () => {
    temp = await tempFolder('log');
    path = join(temp.path, 'root', 'one', 'log.jsonl');
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((log) => log.close()));
    await temp.dispose();
  });

  it('leaves no trace before the first record', async () => {
    await newLog().close();
    assert.deepEqual(await readdir(temp.path), []);
  });

  it('has a record when append returns', () => {
    const log = newLog();
    log.append(header('one'));
    assert.equal(readFileSync(path, 'utf8'), logText(header('one')));
    log.append(sent('m1', 'Hello'));
    assert.equal(readFileSync(path, 'utf8'), logText(header('one'), sent('m1', 'Hello')));
  });

  it('can be read by its user only', async function () {
    if (process.platform === 'win32') return this.skip();
    newLog().append(header('one'));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(path, '..'))).mode & 0o777, 0o700);
    assert.equal((await stat(join(path, '../..'))).mode & 0o777, 0o700);
  });

  it('is synced once for all who wait', async () => {
    const log = newLog();
    await log.synced();
    log.append(header('one'));
    const [first, second] = [log.synced(), log.synced()];
    assert.equal(first, second);
    await first;
    log.append(sent('m1', 'Hello'));
    await log.synced();
    await log.synced();
    assert.equal((await readLog(path)).records.length, 1);
  });

  it('continues after what another process left', async () => {
    await writeLog(path, logText(header('one')));
    newLog().append(sent('m1', 'Hello'));
    assert.equal(await readFile(path, 'utf8'), logText(header('one'), sent('m1', 'Hello')));
  });

  it('never continues inside a torn line', async () => {
    await writeLog(path, `${logText(header('one'))}{"type":"del`);
    newLog().append(sent('m1', 'Hello'));
    const { records, damage } = await readLog(path);
    assert.deepEqual(records, [sent('m1', 'Hello')]);
    assert.deepEqual(damage, [{ line: 2, reason: 'it is not JSON' }]);
  });

  it('completes a last line that lacks only its newline', async () => {
    await writeLog(path, logText(header('one'), sent('m1', 'Hello')).trimEnd());
    newLog().append(sent('m2', 'Again'));
    const { records, damage } = await readLog(path);
    assert.deepEqual(records, [sent('m1', 'Hello'), sent('m2', 'Again')]);
    assert.deepEqual(damage, []);
  });

  it('takes a record of 10 MB', async () => {
    const log = newLog();
    log.append(header('one'));
    log.append(delta('ä'.repeat(5_000_000)));
    log.append(delta('after'));
    await log.synced();
    const { records, damage } = await readLog(path);
    assert.deepEqual(records, [delta('ä'.repeat(5_000_000)), delta('after')]);
    assert.deepEqual(damage, []);
  });

  it('takes nothing more once it is closed', async () => {
    const log = newLog();
    log.append(header('one'));
    await Promise.all([log.close(), log.close()]);
    log.append(sent('m1', 'Hello'));
    assert.equal(await readFile(path, 'utf8'), logText(header('one')));
  });

  it('has all that was appended when the process is killed', async () => {
    const counter = join(temp.path, 'counter');
    const program = join(repoRoot, 'out/test/unit/sessions/store/append-until-killed.mjs');
    const child: ChildProcess = spawn(process.execPath, [program, path, counter], { stdio: 'inherit' });
    const exited = once(child, 'exit');
    await eventually('a thousand records', async () => Number(await readFile(counter, 'utf8')) > 1000);
    child.kill('SIGKILL');
    await exited;
    const acknowledged = Number(await readFile(counter, 'utf8'));
    const { records, damage } = await readLog(path);
    const texts = records.flatMap((each) => (each.type === 'delta' ? (each.parts[0]?.text ?? '') : []));
    assert.ok(texts.length >= acknowledged, `${texts.length} of ${acknowledged}`);
    for (const [index, text] of texts.entries()) {
      assert.equal(text, `${index + 1} ${'x'.repeat((index + 1) % 3000)}`);
    }
    // It starts without a header; beyond that at most the last line can be torn.
    assert.equal(damage[0]?.reason, 'the header is not there');
    assert.ok(damage.slice(1).every(({ line }) => line > acknowledged));
  });
});

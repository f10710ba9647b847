import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readLog } from '../../../../extension/sessions/store/read-log.ts';
import { repairLog } from '../../../../extension/sessions/store/repair-log.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { at, delta, header, logText, sent, writeLog } from './records.ts';

describe('A damaged log, repaired', () => {
  let temp: TempFolder;
  let folder: string;
  let path: string;

  beforeEach(async () => {
    temp = await tempFolder('repair');
    folder = join(temp.path, 'one');
    path = join(folder, 'log.jsonl');
  });
  afterEach(() => temp.dispose());

  const repair = async (content: string): Promise<string> => {
    await writeLog(path, content);
    return repairLog(path, await readLog(path));
  };

  it('has all good lines as they were, also those it does not understand', async () => {
    const strange = `{ "at":"${at(1)}", "type":"dream" }`;
    const extra = logText(delta('Hi')).replace('{', '{"more":1,');
    await repair(`${logText(header('one'))}garbage\n${strange}\n\n${extra}{"type":`);
    assert.equal(await readFile(path, 'utf8'), `${logText(header('one'))}${strange}\n${extra}`);
    assert.deepEqual((await readLog(path)).damage, []);
  });

  it('is kept as it was beside the new one, every time', async () => {
    const [first, second] = [`${logText(header('one'))}one`, `${logText(header('one'))}two`];
    assert.equal(await repair(first), join(folder, 'log.damaged-1.jsonl'));
    assert.equal(await repair(second), join(folder, 'log.damaged-2.jsonl'));
    assert.equal(await readFile(join(folder, 'log.damaged-1.jsonl'), 'utf8'), first);
    assert.equal(await readFile(join(folder, 'log.damaged-2.jsonl'), 'utf8'), second);
    assert.deepEqual((await readdir(folder)).sort(), ['log.damaged-1.jsonl', 'log.damaged-2.jsonl', 'log.jsonl']);
    if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it('gets a header if it had none', async () => {
    await repair(logText(sent('m1', 'Hello')));
    const { header: made, records, damage } = await readLog(path);
    assert.deepEqual(made, header('one', { workspace: '', at: at(1) }));
    assert.deepEqual(records, [sent('m1', 'Hello')]);
    assert.deepEqual(damage, []);
  });

  it('is repaired although an earlier attempt broke off', async () => {
    await writeLog(`${path}.repaired`, 'half a li');
    await repair(`${logText(header('one'))}garbage`);
    assert.deepEqual(await readdir(folder), ['log.damaged-1.jsonl', 'log.jsonl']);
  });
});

import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { SessionStore } from '../../../../extension/sessions/store/session-store.ts';
import { processorTimeOf } from '../../../support/processor-time.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { type TestHost, testHost } from '../../../support/test-host.ts';
import { delta, header, logText, record, START, sent, writeLog } from './records.ts';

describe('The list of sessions', () => {
  let temp: TempFolder;
  let root: string;
  let host: TestHost;
  let store: SessionStore;
  const pathOf = (id: string): string => join(root, id, 'log.jsonl');

  beforeEach(async () => {
    temp = await tempFolder('list');
    root = join(temp.path, 'sessions');
    host = testHost();
    store = new SessionStore(root, { owner: { label: 'Window 1' }, log: host.log });
  });
  afterEach(() => temp.dispose());

  const names = async (): Promise<string[]> => (await store.list()).map(({ id }) => id);

  it('is empty before the first', async () => {
    assert.deepEqual(await store.list(), []);
    assert.deepEqual(await readdir(temp.path), []);
  });

  it('has the newest first, with what they are about', async () => {
    await writeLog(pathOf('old'), logText(header('old'), sent('m', 'Old one', 1)));
    await writeLog(pathOf('new'), logText(header('new'), sent('m', 'New one', 9), sent('n', 'More', 10)));
    const title = record({ type: 'title', title: 'About', by: 'model' }, 5);
    await writeLog(pathOf('mid'), logText(header('mid'), sent('m', 'Middle', 2), title));
    const list = await store.list();
    assert.deepEqual(
      list.map(({ id, title: name, firstWords, messages }) => [id, name, firstWords, messages]),
      [
        ['new', '', 'New one', 2],
        ['mid', 'About', 'Middle', 1],
        ['old', '', 'Old one', 1],
      ],
    );
    assert.deepEqual(await store.list(), list);
  });

  it('reads only logs that changed', async () => {
    const write = async (text: string): Promise<void> => {
      await writeLog(pathOf('one'), logText(header('one'), sent('m1', text)));
      await utimes(pathOf('one'), START / 1000, START / 1000);
    };
    await write('Hello');
    await store.list();
    const index = await stat(join(root, 'index.json'));
    // Same length, same time: only who reads it again sees the difference.
    await write('Hullo');
    assert.equal((await store.list())[0]?.firstWords, 'Hello');
    assert.equal((await stat(join(root, 'index.json'))).ino, index.ino);
    await appendFile(pathOf('one'), logText(sent('m2', 'Again', 5)));
    const [grown] = await store.list();
    assert.deepEqual([grown?.firstWords, grown?.messages], ['Hullo', 2]);
  });

  for (const [what, index] of [
    ['is missing', undefined],
    ['is damaged', '{"version":1,"sess'],
    ['is of another version', '{"version":99,"sessions":{}}'],
    ['says something else', '{"version":1,"sessions":{"one":{"size":1}}}'],
  ] as const) {
    it(`is whole when its index ${what}`, async () => {
      await writeLog(pathOf('one'), logText(header('one'), sent('m1', 'Hello')));
      const before = await store.list();
      if (index === undefined) await rm(join(root, 'index.json'));
      else await writeFile(join(root, 'index.json'), index);
      assert.deepEqual(await store.list(), before);
      assert.match(await readFile(join(root, 'index.json'), 'utf8'), /Hello/);
      assert.deepEqual(host.complaints, []);
    });
  }

  it('has all of them, also one that cannot be read', async () => {
    await writeLog(pathOf('good'), logText(header('good'), sent('m1', 'Hello')));
    await writeLog(pathOf('newer'), logText(header('newer', { version: 9 })));
    await writeLog(pathOf('torn'), `${logText(header('torn'), sent('m1', 'Torn'))}{"ty`);
    await mkdir(join(root, 'circle'));
    await symlink(pathOf('circle'), pathOf('circle'));
    const list = await store.list();
    assert.deepEqual(list.map(({ id }) => id).sort(), ['circle', 'good', 'newer', 'torn']);
    assert.match(list.find(({ id }) => id === 'circle')?.problem ?? '', /ELOOP/);
    const newer = list.find(({ id }) => id === 'newer');
    assert.match(newer?.problem ?? '', /newer version/);
    assert.ok((newer?.updatedAt ?? 0) > Date.now() - 60_000);
    assert.equal(list.find(({ id }) => id === 'torn')?.firstWords, 'Torn');
    assert.match(host.complaints.join(), /newer.*cannot be read/);
  });

  it('omits what is no session', async () => {
    await writeLog(pathOf('one'), logText(header('one')));
    await mkdir(join(root, 'empty'));
    await mkdir(join(root, '.git'));
    await mkdir(join(root, 'two', 'log.jsonl'), { recursive: true });
    await writeFile(join(root, 'notes.txt'), 'mine');
    assert.deepEqual(await names(), ['one']);
  });

  it('is there at once for many that were listed before', async function () {
    this.timeout(20_000);
    for (let count = 0; count < 300; count++) {
      await writeLog(pathOf(`s${count}`), logText(header(`s${count}`), sent('m', 'Hello', count), delta('Hi', count)));
    }
    assert.equal((await names())[0], 's299');
    // 20 to 30 ms.
    assert.ok((await processorTimeOf(async () => assert.equal((await names()).length, 300))) < 1000);
  });
});

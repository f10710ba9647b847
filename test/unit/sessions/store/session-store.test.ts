import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { SessionError } from '../../../../extension/sessions/store/session-error.ts';
import { type OpenedSession, SessionStore } from '../../../../extension/sessions/store/session-store.ts';
import type { StoredLog } from '../../../../extension/sessions/store/stored-log.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { type TestHost, testHost } from '../../../support/test-host.ts';
import { header, logText, sent, writeLog } from './records.ts';

describe('The stored sessions', () => {
  let temp: TempFolder;
  let root: string;
  let host: TestHost;
  let store: SessionStore;
  let otherWindow: SessionStore;
  const logs: StoredLog[] = [];

  const keep = (log: StoredLog): StoredLog => {
    logs.push(log);
    return log;
  };
  const writable = ({ access }: OpenedSession): StoredLog => {
    assert.ok(access.kind === 'write');
    return keep(access.log);
  };
  const pathOf = (id: string): string => join(root, id, 'log.jsonl');

  beforeEach(async () => {
    temp = await tempFolder('store');
    root = join(temp.path, 'sessions');
    host = testHost();
    store = new SessionStore(root, { owner: { label: 'Window 1' }, log: host.log });
    otherWindow = new SessionStore(root, { owner: { label: 'Window 2' }, log: host.log });
  });
  afterEach(async () => {
    for (const log of logs.splice(0)) await log.close();
    await temp.dispose();
  });

  describe('when one is new', () => {
    it('touch the disk with the first record only', async () => {
      const log = keep(store.create(header('one')));
      await log.synced();
      assert.deepEqual(await readdir(temp.path), []);
      log.append(sent('m1', 'Hello'));
      assert.equal(await readFile(pathOf('one'), 'utf8'), logText(header('one'), sent('m1', 'Hello')));
      assert.deepEqual((await readdir(log.folder)).sort(), ['lock', 'log.jsonl']);
      await log.close();
      assert.deepEqual(await readdir(log.folder), ['log.jsonl']);
    });

    it('leave nothing of one that was closed unused', async () => {
      await store.create(header('one')).close();
      assert.deepEqual(await readdir(temp.path), []);
    });

    it('let only one window write it', async () => {
      keep(store.create(header('one'))).append(sent('m1', 'Hello'));
      const { access, records } = await otherWindow.open('one');
      assert.ok(access.kind === 'read');
      assert.equal(access.owner?.label, 'Window 1');
      assert.equal(access.reason, 'This session is open in Window 1.');
      assert.deepEqual(records, [sent('m1', 'Hello')]);
    });

    it('do not mix two of the same name', async () => {
      const lost: unknown[] = [];
      const first = keep(store.create(header('one')));
      first.append(sent('m1', 'Hello'));
      const second = keep(otherWindow.create(header('one'), { onLockLost: (by) => lost.push(by?.label) }));
      second.append(sent('x1', 'Intruder'));
      await first.close();
      const third = keep(otherWindow.create(header('one'), { onLockLost: (by) => lost.push(by) }));
      third.append(sent('x2', 'Intruder'));
      assert.deepEqual(lost, ['Window 1', undefined]);
      assert.equal(await readFile(pathOf('one'), 'utf8'), logText(header('one'), sent('m1', 'Hello')));
      writable(await store.open('one'));
    });

    it('continue in memory while their folder cannot be made', async () => {
      await writeFile(root, 'in the way');
      const said: string[] = [];
      const observer = {
        onFailure: ({ code }: { code: string }) => said.push(code),
        onRecovered: () => said.push('ok'),
      };
      const log = keep(store.create(header('one'), observer));
      log.append(sent('m1', 'Hello'));
      log.append(sent('m2', 'Again'));
      await log.synced();
      await rm(root);
      log.append(sent('m3', 'Still here'));
      assert.deepEqual(said, ['missing', 'ok']);
      const talk = [sent('m1', 'Hello'), sent('m2', 'Again'), sent('m3', 'Still here')];
      assert.equal(await readFile(pathOf('one'), 'utf8'), logText(header('one'), ...talk));
      assert.ok((await stat(join(root, 'one', 'lock'))).isFile());
    });
  });

  describe('when one is opened', () => {
    it('give back what was said and continue from there', async () => {
      const log = store.create(header('one'));
      log.append(sent('m1', 'Hello'));
      await log.close();
      const opened = await otherWindow.open('one');
      assert.deepEqual(opened.header, header('one'));
      assert.deepEqual(opened.records, [sent('m1', 'Hello')]);
      assert.deepEqual(opened.damage, []);
      writable(opened).append(sent('m2', 'Again'));
      assert.equal(
        await readFile(pathOf('one'), 'utf8'),
        logText(header('one'), sent('m1', 'Hello'), sent('m2', 'Again')),
      );
    });

    it('repair it, keep the damaged log, and say so', async () => {
      const before = `${logText(header('one'), sent('m1', 'Hello'))}{"type":`;
      await writeLog(pathOf('one'), before);
      const opened = await store.open('one');
      assert.deepEqual(opened.damage, [{ line: 3, reason: 'it is not JSON' }]);
      assert.equal(opened.keptDamaged, join(root, 'one', 'log.damaged-1.jsonl'));
      assert.equal(await readFile(opened.keptDamaged, 'utf8'), before);
      writable(opened).append(sent('m2', 'Again'));
      const talk = [sent('m1', 'Hello'), sent('m2', 'Again')];
      assert.equal(await readFile(pathOf('one'), 'utf8'), logText(header('one'), ...talk));
      assert.match(host.complaints.join(), /log\.jsonl:3 is lost: it is not JSON/);
    });

    it('leave a damaged log alone that another window writes', async () => {
      keep(store.create(header('one'))).append(sent('m1', 'Hello'));
      await appendFile(pathOf('one'), '{"type":');
      const { damage, keptDamaged, access } = await otherWindow.open('one');
      assert.equal(access.kind, 'read');
      assert.equal(damage.length, 1);
      assert.equal(keptDamaged, undefined);
      assert.deepEqual((await readdir(join(root, 'one'))).sort(), ['lock', 'log.jsonl']);
    });

    it('write nothing more once another window took it over', async () => {
      const lost: unknown[] = [];
      // Looks before each write whether it still may.
      const lockTimes = { heartbeatMs: 60_000, staleMs: 1 };
      const asleep = new SessionStore(root, { owner: { label: 'Asleep' }, log: host.log, lockTimes });
      const log = keep(asleep.create(header('one'), { onLockLost: (by) => lost.push(by?.label) }));
      log.append(sent('m1', 'Hello'));
      const longAgo = Date.now() / 1000 - 60;
      await utimes(join(root, 'one', 'lock'), longAgo, longAgo);
      writable(await otherWindow.open('one')).append(sent('m2', 'From the other'));
      log.append(sent('m3', 'Too late'));
      log.append(sent('m4', 'Too late'));
      assert.deepEqual(lost, ['Window 2']);
      const talk = [sent('m1', 'Hello'), sent('m2', 'From the other')];
      assert.equal(await readFile(pathOf('one'), 'utf8'), logText(header('one'), ...talk));
      await log.close();
      assert.equal((await store.open('one')).access.kind, 'read');
    });

    it('refuse one that is not there, by name', async () => {
      await assert.rejects(store.open('none'), (error) => {
        return SessionError.is(error, 'unknown-session') && error.message.includes('none');
      });
    });

    it('refuse one of a newer version and leave it to others', async () => {
      await writeLog(pathOf('one'), logText(header('one', { version: 9 })));
      await assert.rejects(store.open('one'), (error) => SessionError.is(error, 'newer-version'));
      assert.deepEqual(await readdir(join(root, 'one')), ['log.jsonl']);
    });

    const bad = [
      '',
      '.',
      '..',
      '../one',
      'a/b',
      'a\\b',
      'a..b',
      'trash',
      'Trash',
      'index.json',
      '.hidden',
      'a.',
      'ä',
      'a\n',
    ];
    for (const id of bad) {
      it(`refuse ${JSON.stringify(id)} as a name`, async () => {
        const refused = (error: unknown): boolean => SessionError.is(error, 'bad-id');
        assert.throws(() => store.create(header(id)), refused);
        await assert.rejects(store.open(id), refused);
        await assert.rejects(store.delete(id), refused);
        await assert.rejects(store.restore(id), refused);
      });
    }
  });
});

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { SessionHeader } from '../../../../extension/sessions/session-record.ts';
import { DAY_MS } from '../../../../extension/sessions/store/retention.ts';
import { SessionError, type SessionErrorKind } from '../../../../extension/sessions/store/session-error.ts';
import { SessionStore } from '../../../../extension/sessions/store/session-store.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { testHost } from '../../../support/test-host.ts';
import { header, logText, record, START, sent, writeLog } from './records.ts';

describe('A deleted session', () => {
  let root: TempFolder;
  let store: SessionStore;
  let now: number;

  beforeEach(async () => {
    root = await tempFolder('trash');
    now = START;
    store = new SessionStore(root.path, { owner: { label: 'Window 1' }, log: testHost().log, now: () => now });
    await write('one');
  });
  afterEach(() => root.dispose());

  const write = (id: string, more: Partial<SessionHeader> = {}): Promise<string> =>
    writeLog(join(root.path, id, 'log.jsonl'), logText(header(id, more), sent('m', `This is ${id}`)));
  const childOf = (sessionId: string): Partial<SessionHeader> => ({ parent: { sessionId, callId: 'c1' } });
  const listed = async (): Promise<string[]> => (await store.list()).map(({ id }) => id).sort();
  const trashed = async (): Promise<string[]> => (await store.trash()).map(({ id }) => id).sort();
  const kind = (expected: SessionErrorKind) => (error: unknown) => SessionError.is(error, expected);

  it('is in the trash, whole, and not in the list', async () => {
    await writeLog(join(root.path, 'one', 'blobs', 'abc'), 'content');
    assert.deepEqual(await store.delete('one'), ['one']);
    assert.deepEqual(await listed(), []);
    const [only] = await store.trash();
    assert.equal(only?.firstWords, 'This is one');
    assert.equal(only?.deletedAt, START);
    assert.equal(await readFile(join(root.path, 'trash/one/blobs/abc'), 'utf8'), 'content');
    assert.deepEqual((await readdir(join(root.path, 'trash/one'))).sort(), ['blobs', 'log.jsonl']);
  });

  it('comes back as it was', async () => {
    const before = await store.list();
    await store.delete('one');
    assert.deepEqual(await store.restore('one'), ['one']);
    assert.deepEqual(await store.list(), before);
    assert.deepEqual(await store.trash(), []);
  });

  it('takes those that work for it along, both ways', async () => {
    await write('two', childOf('one'));
    await write('three', childOf('two'));
    await write('four');
    assert.deepEqual(await store.delete('one'), ['one', 'two', 'three']);
    assert.deepEqual(await listed(), ['four']);
    assert.deepEqual(await store.restore('one'), ['one', 'two', 'three']);
    assert.deepEqual(await listed(), ['four', 'one', 'three', 'two']);
  });

  it('is not deleted while a window has it open', async () => {
    const { access } = await store.open('one');
    await assert.rejects(store.delete('one'), (error) => {
      return SessionError.is(error, 'locked') && error.message.includes('open in Window 1');
    });
    assert.deepEqual(await listed(), ['one']);
    assert.ok(access.kind === 'write');
    await access.log.close();
    await store.delete('one');
    assert.deepEqual(await listed(), []);
  });

  it('does not overwrite one of the same name, in neither direction', async () => {
    await store.delete('one');
    await write('one');
    await assert.rejects(store.restore('one'), kind('exists'));
    await store.delete('one');
    assert.deepEqual(await trashed(), ['one', 'one.2']);
    await store.restore('one');
    await store.restore('one.2');
    assert.deepEqual(await listed(), ['one', 'one.2']);
  });

  it('must have been there', async () => {
    await assert.rejects(store.delete('none'), kind('unknown-session'));
    await assert.rejects(store.restore('none'), kind('unknown-session'));
    assert.deepEqual(await listed(), ['one']);
  });

  it('is gone for good when the trash is emptied of what is old', async () => {
    await write('two');
    await store.delete('one');
    now += 5 * DAY_MS;
    await store.delete('two');
    await mkdir(join(root.path, 'trash', 'half-removed'));
    now += 5 * DAY_MS;
    assert.deepEqual(await store.emptyTrash(7), ['one']);
    assert.deepEqual(await trashed(), ['two']);
    now = Date.now() + DAY_MS;
    assert.deepEqual((await store.emptyTrash(0)).sort(), ['half-removed', 'two']);
    assert.deepEqual(await readdir(join(root.path, 'trash')), ['index.json']);
  });

  it('is none when there is no trash', async () => {
    assert.deepEqual(await store.trash(), []);
    assert.deepEqual(await store.emptyTrash(0), []);
  });

  it('may be one that grew old, unless it is open somewhere', async () => {
    await write('two', childOf('one'));
    await write('three');
    await write('open');
    const { access } = await store.open('open');
    await writeLog(
      join(root.path, 'pinned', 'log.jsonl'),
      logText(header('pinned'), record({ type: 'pinned', pinned: true })),
    );
    const later = START + 100 * DAY_MS;
    assert.deepEqual(await store.retain({ maxAgeDays: 0, maxCount: 0, now: later }), []);
    assert.deepEqual((await store.retain({ maxAgeDays: 90, maxCount: 0, now: later })).sort(), ['one', 'three', 'two']);
    assert.deepEqual(await listed(), ['open', 'pinned']);
    assert.deepEqual(await trashed(), ['one', 'three', 'two']);
    assert.ok(access.kind === 'write');
    await access.log.close();
  });
});

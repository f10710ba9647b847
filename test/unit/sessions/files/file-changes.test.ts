import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { afterEach, describe, it } from 'mocha';
import { hashOf } from '../../../../extension/sessions/files/blob-store.ts';
import { bytesOf, createSessionFiles, type SessionFiles } from '../../../support/session-files.ts';

const hash = (content: string): string => hashOf(Buffer.from(content));

describe('file changes', () => {
  let session: SessionFiles;
  afterEach(() => session.dispose());

  it('are recorded with what was there and what comes, and both are stored', async () => {
    session = await createSessionFiles({ 'a.txt': 'old' });
    const path = session.pathOf('a.txt');
    await session.agent('a.txt', 'new');
    await session.changes.write(path, undefined, { rewindId: 'r' });
    assert.deepEqual(session.log, [
      { type: 'file_change', path, before: hash('old'), after: hash('new'), callId: 'call' },
      { type: 'file_change', path, before: hash('new'), after: null, rewindId: 'r' },
    ]);
    for (const content of ['old', 'new']) assert.deepEqual(await session.blobs.get(hash(content)), bytesOf(content));
    assert.equal(await session.contentOf('a.txt'), undefined);
  });

  it('include files that are made', async () => {
    session = await createSessionFiles();
    await session.agent('new/a.txt', 'content');
    assert.deepEqual(
      session.log.map(({ before, after }) => [before, after]),
      [[null, hash('content')]],
    );
    assert.equal(await session.contentOf('new/a.txt'), 'content');
  });

  it('that change nothing are not recorded', async () => {
    session = await createSessionFiles({ 'a.txt': 'same' });
    await session.agent('a.txt', 'same');
    await session.agent('none.txt', undefined);
    assert.deepEqual(session.log, []);
  });

  it('happen only after the record and both contents are safe', async () => {
    const seen: unknown[] = [];
    session = await createSessionFiles({ 'a.txt': 'old' }, async (log) => {
      const stored = await Promise.all(
        ['old', 'new'].map(async (text) => (await session.blobs.get(hash(text))) !== undefined),
      );
      seen.push({ records: log.length, stored, content: await session.contentOf('a.txt') });
    });
    await session.agent('a.txt', 'new');
    assert.deepEqual(seen, [{ records: 1, stored: [true, true], content: 'old' }]);
  });

  it('do not happen when the record cannot be kept', async () => {
    session = await createSessionFiles({ 'a.txt': 'old' }, () => Promise.reject(new Error('disk full')));
    await assert.rejects(session.agent('a.txt', 'new'), /disk full/);
    assert.equal(await session.contentOf('a.txt'), 'old');
  });

  it('to one file happen one after the other, also after one that failed', async () => {
    session = await createSessionFiles({ 'a.txt': '0', 'folder/': '' });
    const texts = ['1', '2', '3', '4'];
    const writes = texts.map((text) => session.agent('a.txt', text));
    const failing = ['1', '2'].map((text) => session.agent('folder', text));
    const states = (await Promise.allSettled([...writes, ...failing])).map(({ status }) => status);
    assert.deepEqual(states, [...texts.map(() => 'fulfilled'), 'rejected', 'rejected']);
    assert.deepEqual(
      session.log.map(({ before, after }) => [before, after]),
      texts.map((text, index) => [hash(String(index)), hash(text)]),
    );
    assert.equal(await session.contentOf('a.txt'), '4');
  });

  it('that fail are taken back in the log', async () => {
    session = await createSessionFiles({}, async () => {
      await rm(session.pathOf('folder'), { recursive: true });
      await session.other('folder', 'a file now');
    });
    await mkdir(session.pathOf('folder'));
    await assert.rejects(session.agent('folder/a.txt', 'new'));
    assert.deepEqual(
      session.log.map(({ before, after }) => [before, after]),
      [
        [null, hash('new')],
        [hash('new'), null],
      ],
    );
    assert.equal(await session.contentOf('folder'), 'a file now');
  });

  it('do not bury what somebody saves at the same moment', async () => {
    session = await createSessionFiles({ 'a.txt': 'old' }, () => session.other('a.txt', 'saved by the user'));
    await assert.rejects(session.agent('a.txt', 'new'), { kind: 'changed_meanwhile' });
    assert.equal(await session.contentOf('a.txt'), 'saved by the user');
    assert.deepEqual(
      session.log.map(({ before, after }) => [before, after]),
      [
        [hash('old'), hash('new')],
        [hash('new'), hash('old')],
      ],
    );
  });

  it('can depend on what is there', async () => {
    session = await createSessionFiles({ 'a.txt': 'old' });
    const writeOver = (expected: string) =>
      session.changes.writeIf(
        session.pathOf('a.txt'),
        bytesOf('new'),
        { callId: 'call' },
        (now) => now === hash(expected),
      );
    assert.equal(await writeOver('other'), 'refused');
    assert.deepEqual(session.log, []);
    assert.equal(await writeOver('old'), 'written');
    assert.equal(await writeOver('other'), 'unchanged');
    assert.equal(session.log.length, 1);
  });
});

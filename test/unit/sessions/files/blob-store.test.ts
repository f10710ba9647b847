import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { BlobStore, hashOf } from '../../../../extension/sessions/files/blob-store.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const TEXT = Buffer.from('some content\n');
const HASH = hashOf(TEXT);
/** A file system in memory, so never the one of the temporary folder on disk. */
const OTHER_DEVICE = '/dev/shm';

describe('blob store', () => {
  let temp: TempFolder;
  let folder: string;
  let blobs: BlobStore;

  beforeEach(async () => {
    temp = await tempFolder('blobs');
    folder = join(temp.path, 'session', 'blobs');
    blobs = new BlobStore(folder);
  });
  afterEach(() => temp.dispose());

  it('gives back what was stored, by its SHA-256', async () => {
    assert.equal(HASH, '1c87b6727f523662df714f06a94ea27fa4d9050c38f4f7712bd4663ffbfdfa01');
    for (const bytes of [TEXT, Buffer.alloc(0), Buffer.from([0, 255, 10, 13])]) {
      assert.deepEqual(await blobs.get(await blobs.put(bytes)), bytes);
    }
  });

  it('stores a content once and leaves no temporary files', async () => {
    await Promise.all([blobs.put(TEXT), blobs.put(TEXT), blobs.put(TEXT)]);
    await blobs.put(TEXT);
    assert.deepEqual(await readdir(folder), [HASH]);
  });

  it('is for the user alone', async function () {
    if (process.platform === 'win32') this.skip();
    await blobs.put(TEXT);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await stat(join(folder, HASH))).mode & 0o777, 0o600);
  });

  it('takes a damaged content for a missing one, and repairs it when it is stored again', async () => {
    await blobs.put(TEXT);
    await writeFile(join(folder, HASH), 'something else');
    assert.equal(await blobs.get(HASH), undefined);
    await blobs.put(TEXT);
    assert.deepEqual(await blobs.get(HASH), TEXT);
  });

  const notStored: readonly [title: string, hash: string][] = [
    ['a hash that was never stored', hashOf(Buffer.from('other'))],
    ['a path', '../secret'],
    ['a hash behind a path', `../blobs/${HASH}`],
    ['a hash with a line end', `${HASH}\n`],
    ['a hash in capitals', HASH.toUpperCase()],
    ['nothing', ''],
  ];
  for (const [title, hash] of notStored) {
    it(`has nothing for ${title}`, async () => {
      await blobs.put(TEXT);
      await writeFile(join(folder, '../secret'), 'secret');
      assert.equal(await blobs.get(hash), undefined);
    });
  }

  it('has nothing before its folder exists', async () => {
    assert.equal(await blobs.get(HASH), undefined);
    assert.equal(existsSync(folder), false);
  });

  it('shares contents with a copy, which keeps them when the original is gone', async () => {
    const second = await blobs.put(Buffer.from('second'));
    await blobs.put(TEXT);
    const copyFolder = join(temp.path, 'copy', 'blobs');
    const copy = new BlobStore(copyFolder);
    const never = hashOf(Buffer.from('never stored'));
    assert.deepEqual(await blobs.linkInto(copy, [HASH, second, HASH, never, '../secret']), [never, '../secret']);
    assert.deepEqual((await readdir(copyFolder)).sort(), [HASH, second].sort());
    assert.equal((await stat(join(copyFolder, HASH))).ino, (await stat(join(folder, HASH))).ino);
    // Again, as after a copy that was interrupted.
    assert.deepEqual(await blobs.linkInto(copy, [HASH, second]), []);
    await rm(folder, { recursive: true });
    assert.deepEqual(await copy.get(HASH), TEXT);
  });

  it('repairs a damaged content of the copy', async () => {
    await blobs.put(TEXT);
    const copyFolder = join(temp.path, 'copy');
    const copy = new BlobStore(copyFolder);
    await copy.put(TEXT);
    await writeFile(join(copyFolder, HASH), 'damaged');
    assert.deepEqual(await blobs.linkInto(copy, [HASH]), []);
    assert.deepEqual(await copy.get(HASH), TEXT);
  });

  it('copies to another device', async function () {
    const isOther = existsSync(OTHER_DEVICE) && (await stat(OTHER_DEVICE)).dev !== (await stat(temp.path)).dev;
    if (!isOther) this.skip();
    await blobs.put(TEXT);
    const elsewhere = join(OTHER_DEVICE, temp.path.replaceAll('/', '-'));
    try {
      assert.deepEqual(await blobs.linkInto(new BlobStore(elsewhere), [HASH]), []);
      assert.deepEqual(await readFile(join(elsewhere, HASH)), TEXT);
    } finally {
      await rm(elsewhere, { recursive: true, force: true });
    }
  });
});

import assert from 'node:assert/strict';
import { mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { DiskView, type DiskViewOptions } from '../../../extension/files/disk-view.ts';
import { dependsOnEntries } from '../../../extension/files/file-stamp.ts';
import { type FilesRead, FromFiles } from '../../../extension/files/from-files.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

/** A view that counts what it asks the disk. */
class CountingView extends DiskView {
  readonly asked = new Set<string>();

  override stats(path: string): ReturnType<DiskView['stats']> {
    this.asked.add(path);
    return super.stats(path);
  }

  override isAbsent(path: string, folder: string): Promise<boolean> {
    this.asked.add(`${path}?`);
    return super.isAbsent(path, folder);
  }
}

describe('A value that is read from files', () => {
  let folder: TempWorkspace;
  let value: FromFiles<string>;
  let reads: number;
  beforeEach(async () => {
    folder = await createTempWorkspace({
      'there.md': 'there',
      'in/there.md': 'also there',
      'elsewhere/': '',
      'spot/': '',
    });
    await symlink(inside('elsewhere/target.md'), inside('dangling.md'));
    value = new FromFiles();
    reads = 0;
    const old = new Date(Date.now() - 60_000);
    for (const path of ['there.md', 'in/there.md', 'in', 'elsewhere', '.']) await utimes(inside(path), old, old);
  });
  afterEach(() => folder.dispose());

  const inside = (name: string): string => join(folder.path, name);
  const withoutEnd = (path: string): string => path.replace(/[\\/]$/, '');
  const PATHS = ['there.md', 'in/there.md', 'missing.md', 'deep/er/missing.md', 'in/no/one.md', 'dangling.md'];

  /** Nothing was written just now. */
  const LATER: DiskViewOptions = { now: () => Date.now() + 60_000 };
  const read = async (files: FilesRead): Promise<string> => {
    reads++;
    await files.place(inside('spot'));
    const texts = PATHS.map(async (path) => {
      return (await files.stamp(inside(path))) === '' ? '-' : await readFile(inside(path), 'utf8');
    });
    return (await Promise.all(texts)).join('|');
  };
  const step = (view = new DiskView(LATER), ...facts: unknown[]): Promise<string> => value.current(view, facts, read);

  it('is read once, and then asks only for the files that are there and the folders of those that are not', async () => {
    await step();
    await step();
    const view = new CountingView(LATER);
    assert.equal(await step(view), 'there|also there|-|-|-|-');
    assert.equal(reads, 1);
    // A link that leads nowhere is asked for itself: what it leads to may appear in any folder.
    const asked = ['', 'in', 'spot', 'there.md', 'in/there.md', 'dangling.md'].map((name) => inside(name));
    // Elsewhere, every missing file is asked for.
    if (await dependsOnEntries(folder.path)) assert.deepEqual([...view.asked].sort(), asked.map(withoutEnd).sort());
    else assert.ok(view.asked.has(inside('missing.md')));
  });

  it('is read again when a fact is another', async () => {
    await step(new DiskView(LATER), 'trusted', 1);
    await step(new DiskView(LATER), 'trusted', 1);
    assert.equal(reads, 1);
    await step(new DiskView(LATER), 'trusted', 2);
    assert.equal(reads, 2);
  });

  const CHANGES: Readonly<Record<string, readonly [change: () => Promise<unknown>, seen: string]>> = {
    'a file is written': [() => writeFile(inside('there.md'), 'other'), 'other|also there|-|-|-|-'],
    'a file is removed': [() => rm(inside('there.md')), '-|also there|-|-|-|-'],
    'a missing file appears': [() => writeFile(inside('missing.md'), 'new'), 'there|also there|new|-|-|-'],
    'a missing file appears with its folders': [
      () => folder.write({ 'deep/er/missing.md': 'new' }),
      'there|also there|-|new|-|-',
    ],
    'a missing file appears with a folder that was moved there': [
      async () => {
        await folder.write({ 'elsewhere/no/one.md': 'moved' });
        await rename(inside('elsewhere/no'), inside('in/no'));
      },
      'there|also there|-|-|moved|-',
    ],
    'a link gets something to lead to': [
      () => writeFile(inside('elsewhere/target.md'), 'target'),
      'there|also there|-|-|-|target',
    ],
    'a folder is swapped for another': [
      async () => {
        await folder.write({ 'elsewhere/there.md': 'swapped' });
        await rename(inside('in'), inside('was-in'));
        await symlink(inside('elsewhere'), inside('in'));
      },
      'there|swapped|-|-|-|-',
    ],
  };
  for (const [what, [change, seen]] of Object.entries(CHANGES)) {
    it(`is read again when ${what}`, async () => {
      await step();
      await step();
      await change();
      assert.equal(await step(), seen);
      assert.equal(await step(), seen);
    });
  }

  it('is read again for each of several changes within a tick of the clock', async () => {
    for (const text of ['', 'a', 'b', 'c']) {
      await writeFile(inside('missing.md'), text);
      assert.equal(await step(new DiskView()), `there|also there|${text}|-|-|-`);
      await rm(inside('missing.md'));
      assert.equal(await step(new DiskView()), 'there|also there|-|-|-|-');
    }
  });

  it('is read again when a folder that it depends on is another', async () => {
    await step();
    await rename(inside('spot'), inside('was-spot'));
    await symlink(inside('elsewhere'), inside('spot'));
    await step();
    assert.equal(reads, 2);
  });

  it('is not read again because other files appear in its folders', async () => {
    await step();
    await step();
    await mkdir(inside('other'));
    await writeFile(inside('in/other.md'), '');
    await writeFile(inside('spot/other.md'), '');
    assert.equal(await step(), 'there|also there|-|-|-|-');
    assert.equal(reads, 1);
  });

  it('is read once for all who ask at the same moment', async () => {
    const view = new CountingView();
    await Promise.all([step(view), step(view), step(view)]);
    assert.equal(reads, 1);
  });
});

import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { letFileCallsBlock } from '../../../extension/files/disk-calls.ts';
import { isRealPath, openRegularFile, readUpTo } from '../../../extension/files/regular-file.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';

for (const [way, mayBlock] of [
  ['through another thread', false],
  ['in this thread', true],
] as const) {
  describe(`regular file, ${way}`, () => {
    before(() => letFileCallsBlock(mayBlock));
    after(() => letFileCallsBlock(false));

    let workspace: TempWorkspace;

    beforeEach(async () => {
      workspace = await createTempWorkspace({ 'real/a.txt': 'content' });
    });
    afterEach(() => workspace.dispose());

    const readAll = async (size: number, limit: number, signal?: AbortSignal): Promise<string | undefined> => {
      const file = await openRegularFile(join(workspace.path, 'real/a.txt'));
      assert.ok(file.opened);
      try {
        return (await readUpTo(file.handle, size, limit, signal))?.toString();
      } finally {
        await file.handle.close();
      }
    };

    it('is opened with its size', async () => {
      const file = await openRegularFile(join(workspace.path, 'real/a.txt'));
      assert.ok(file.opened);
      assert.equal(file.size, 7);
      await file.handle.close();
    });

    const refused: readonly [path: string, reason: string][] = [
      ['real', 'folder'],
      ['real/none.txt', 'missing'],
      ['link.txt', 'not_regular'],
      ['linked/a.txt', 'changed_meanwhile'],
    ];
    for (const [path, reason] of refused) {
      it(`is not opened: ${path} is ${reason}`, async () => {
        await symlink('real', join(workspace.path, 'linked'));
        await symlink('real/a.txt', join(workspace.path, 'link.txt'));
        const file = await openRegularFile(join(workspace.path, path));
        assert.equal(file.opened ? 'opened' : file.reason, reason);
      });
    }

    it('tells whether a path is a real one, without links and dots', async () => {
      await symlink('real', join(workspace.path, 'linked'));
      await symlink('real/a.txt', join(workspace.path, 'link.txt'));
      const asked = ['', 'real', 'real/a.txt', 'linked', 'linked/a.txt', 'link.txt', 'real/none.txt', 'real/a.txt/x'];
      const real = await Promise.all(asked.map(async (path) => (await isRealPath(join(workspace.path, path))) && path));
      assert.deepEqual(
        real.filter((path) => path !== false),
        ['', 'real', 'real/a.txt'],
      );
      assert.equal(await isRealPath(`${workspace.path}/real/../real/a.txt`), false);
    });

    it('is read to its end even if it grew or shrank since its size was taken', async () => {
      assert.equal(await readAll(7, 100), 'content');
      assert.equal(await readAll(2, 100), 'content');
      assert.equal(await readAll(50, 100), 'content');
    });

    it('is not read beyond the limit', async () => {
      assert.equal(await readAll(7, 7), 'content');
      assert.equal(await readAll(7, 6), undefined);
      assert.equal(await readAll(2, 6), undefined);
    });

    it('is not read after a stop', async () => {
      await assert.rejects(readAll(7, 100, AbortSignal.abort()), { name: 'AbortError' });
    });
  });
}

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { attachedFile, attachedFolder } from '../../../extension/context/attached.ts';
import { checkAttachedSize } from '../../../extension/context/attached-size.ts';
import { ProblemError } from '../../../extension/protocol/agent/problem.ts';
import { attachmentPart } from '../../../extension/protocol/agent/reference-parts.ts';
import { createTempWorkspace, type TempWorkspace } from '../../support/temp-workspace.ts';
import { testHost } from '../../support/test-host.ts';

const { files } = testHost();

describe('What the user attaches', () => {
  let folder: TempWorkspace;
  before(async () => {
    folder = await createTempWorkspace({
      'a.txt': 'on disk',
      '.env': 'KEY=1',
      'image.png': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'large.log': 'x'.repeat(1_100_000),
      'src/deep/b.ts': '',
      'empty/': '',
    });
  });
  after(() => folder.dispose());

  const at = (name: string): string => join(folder.path, name);
  const refused = (promise: Promise<unknown>, text: RegExp): Promise<void> =>
    assert.rejects(promise, (error) => ProblemError.is(error) && text.test(error.message));

  it('is the text of the file, as it is in the editor', async () => {
    assert.equal(await attachedFile(at('a.txt'), 'a.txt', files), 'on disk');
    const dirty = { ...files, unsavedText: () => 'unsaved' };
    assert.equal(await attachedFile(at('a.txt'), 'a.txt', dirty), 'unsaved');
  });

  it('may be a file that looks secret: they picked it', async () => {
    assert.equal(await attachedFile(at('.env'), '.env', files), 'KEY=1');
  });

  it('is for a folder what is in it', async () => {
    assert.equal(await attachedFolder(at('src'), 'src'), 'deep/\n  b.ts');
    assert.equal(await attachedFolder(at('empty'), 'empty'), '(It is empty.)');
  });

  it('is refused with the reason when it is too large, gone, a folder, or not text', async () => {
    await refused(
      attachedFile(at('large.log'), 'large.log', files),
      /^large\.log is too large to attach \(1\.0 MB\)\. The limit is/,
    );
    await refused(
      attachedFile(at('gone.txt'), 'gone.txt', files),
      /^gone\.txt could not be attached\. It no longer exists/,
    );
    await refused(attachedFile(at('src'), 'src', files), /is a folder, not a file/);
    await refused(attachedFile(at('image.png'), 'image.png', files), /It is not a text file/);
    await refused(attachedFolder(at('gone'), 'gone'), /It no longer exists/);
  });

  it('fits together, or is refused', () => {
    const part = (bytes: number) => attachmentPart({ id: 'x', kind: 'terminal', label: 'bash' }, 'x'.repeat(bytes));
    checkAttachedSize([part(500_000), part(500_000)]);
    assert.throws(() => checkAttachedSize([part(600_000), part(600_000)]), /too large in total \(1\.1 MB\)/);
    assert.throws(() => checkAttachedSize([part(2_000_000)]), /bash is too large to attach \(1\.9 MB\)/);
  });
});

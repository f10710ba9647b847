import assert from 'node:assert/strict';
import { join } from 'node:path';
import { RememberedTests } from '../../support/run/remembered-tests.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FILES = ['unit/l10n.test.ts', 'unit/manifest.test.ts', 'unit/bundle.test.ts'];
const [TEXTS = '', MANIFEST = '', BUNDLE = ''] = FILES;

describe('What is remembered of tests', () => {
  it('finds the files of a title, and those it knows nothing of, and takes all of them where none has it', async () => {
    const folder = await tempFolder('remembered');
    const path = join(folder.path, 'out', 'tests.json');
    const first = new RememberedTests(path);
    assert.deepEqual(first.filesWith(/adds/, FILES), FILES);
    first.remember(TEXTS, [{ title: 'Sums adds up', milliseconds: 3 }]);
    first.remember(MANIFEST, [{ title: 'Products', milliseconds: 5 }]);
    await first.save();
    const second = new RememberedTests(path);
    assert.deepEqual(second.filesWith(/adds/, FILES), [TEXTS, BUNDLE]);
    assert.deepEqual(second.filesWith(/nothing has this/, FILES), FILES);
    assert.equal(second.milliseconds(MANIFEST), 5);
    assert.ok(second.milliseconds('security/fuzz-shell.test.ts') > 10 * second.milliseconds(BUNDLE));
    await folder.dispose();
  });
});

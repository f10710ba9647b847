import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { editDetails } from '../../../../extension/tools/files/proposal-details.ts';

describe('What a person sees of an edit', () => {
  it('is the change with its size', () => {
    assert.deepEqual(editDetails([{ path: '/w/a.ts', label: 'a.ts', before: 'a\nb\n', after: 'a\nc\nd\n' }]), {
      type: 'edit',
      path: 'a.ts',
      isNew: false,
      patch: '@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d',
      added: 2,
      removed: 1,
    });
  });

  it('says that a file is new', () => {
    const details = editDetails([{ path: '/w/a.ts', label: 'a.ts', before: null, after: 'a\n' }]);
    assert.ok(details.type === 'edit' && details.isNew && details.added === 1);
  });

  it('names every file when there are several', () => {
    const edits = ['a', 'b'].map((label) => ({ path: `/w/${label}`, label, before: 'x\n', after: 'y\n' }));
    const details = editDetails(edits);
    assert.ok(details.type === 'edit');
    assert.equal(details.path, 'a, b');
    assert.equal(details.patch, ['a', 'b'].map((at) => `--- ${at}\n+++ ${at}\n@@ -1,1 +1,1 @@\n-x\n+y`).join('\n'));
  });

  it('is cut at the end of a line, and says so, when it is very long', () => {
    const after = `${'x'.repeat(99)}\n`.repeat(2000);
    const details = editDetails([{ path: '/w/a', label: 'a', before: null, after }]);
    assert.ok(details.type === 'edit');
    assert.ok(details.patch.length < 60_100);
    assert.ok(details.patch.endsWith(`\n+${'x'.repeat(99)}\n… the rest is not shown`));
    assert.equal(details.added, 2000);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProposedEdit } from '../../../../extension/ports/tool.ts';
import { editDetails } from '../../../../extension/tools/files/proposal-details.ts';

describe('What a person sees of an edit', () => {
  const filesOf = (...edits: readonly ProposedEdit[]) => {
    const details = editDetails(edits);
    return details.type === 'edit' ? details.files : [];
  };

  it('is the change with its size', () => {
    assert.deepEqual(filesOf({ path: '/w/a.ts', label: 'a.ts', before: 'a\nb\n', after: 'a\nc\nd\n' }), [
      {
        path: 'a.ts',
        fullPath: '/w/a.ts',
        isNew: false,
        patch: '@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d',
        added: 2,
        removed: 1,
      },
    ]);
  });

  it('says that a file is new', () => {
    const [file] = filesOf({ path: '/w/a.ts', label: 'a.ts', before: null, after: 'a\n' });
    assert.ok(file?.isNew && file.added === 1);
  });

  it('has every file when there are several', () => {
    const edits = ['a', 'b'].map((label) => ({ path: `/w/${label}`, label, before: 'x\n', after: 'y\n' }));
    assert.deepEqual(
      filesOf(...edits).map(({ path, patch }) => [path, patch]),
      ['a', 'b'].map((path) => [path, '@@ -1,1 +1,1 @@\n-x\n+y']),
    );
  });

  it('is cut at the end of a line, and says so, when it is very long', () => {
    const after = `${'x'.repeat(99)}\n`.repeat(2000);
    const [file] = filesOf({ path: '/w/a', label: 'a', before: null, after });
    assert.ok((file?.patch.length ?? 0) < 60_100);
    assert.ok(file?.patch.endsWith(`\n+${'x'.repeat(99)}\n\\ The rest is not shown`));
    assert.equal(file?.added, 2000);
    assert.equal(file?.isCut, true);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RestoreStep } from '../../../../extension/sessions/files/file-rewind.ts';
import { leftoverText, previewText, restoredText } from '../../../../extension/vscode/rewind/rewind-texts.ts';

const nameOf = (path: string): string => path.slice('/w/'.length);
const planned = { expected: 'e', target: 't', holdsOthersEdits: false, current: 'c' };

describe('What a rewind says', () => {
  it('names each file with what would change in it', () => {
    const steps: RestoreStep[] = [
      { ...planned, path: '/w/a.ts', kind: 'restore', lines: { added: 2, removed: 1 } },
      { ...planned, path: '/w/new.ts', kind: 'remove', target: null, lines: { added: 0, removed: 9 } },
      { ...planned, path: '/w/ours.ts', kind: 'changed', lines: { added: 1, removed: 1 } },
      { ...planned, path: '/w/image.png', kind: 'restore' },
      { ...planned, path: '/w/same.ts', kind: 'done' },
      { ...planned, path: '/w/lost.ts', kind: 'lost' },
      { ...planned, path: '/w/locked.ts', kind: 'blocked', reason: 'It is read-only.' },
    ];
    assert.equal(
      previewText(steps, nameOf),
      'a.ts +2 −1, new.ts +0 −9 (removed), ours.ts +1 −1 (changed by someone else), image.png, ' +
        'lost.ts (its earlier content is gone), locked.ts (cannot be restored)',
    );
    assert.equal(previewText([], nameOf), 'No files to restore');
  });

  it('does not fill the screen with names', () => {
    const steps = Array.from({ length: 20 }, (_, index): RestoreStep => {
      return { ...planned, path: `/w/${index}`, kind: 'restore' };
    });
    assert.equal(previewText(steps, nameOf), '0, 1, 2, 3, 4, 5 and 14 more');
  });

  it('reports what was left in one message, and nothing when nothing was', () => {
    assert.equal(leftoverText([{ path: '/w/a', kind: 'restored' }], nameOf), undefined);
    assert.equal(
      leftoverText(
        [
          { path: '/w/a', kind: 'kept' },
          { path: '/w/b', kind: 'failed', reason: 'It is a folder.' },
        ],
        nameOf,
      ),
      'Kept, because someone else changed them: a. Could not be restored: b (It is a folder).',
    );
  });

  it('counts what is as it was', () => {
    assert.equal(restoredText([]), 'No file had to be restored.');
    assert.equal(restoredText([{ path: '/w/a', kind: 'removed' }]), 'One file was restored.');
    assert.equal(
      restoredText([
        { path: '/w/a', kind: 'removed' },
        { path: '/w/b', kind: 'restored' },
      ]),
      '2 files were restored.',
    );
  });
});

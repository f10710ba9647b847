import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Entry } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import type { RestoreStep } from '../../../../extension/sessions/files/file-rewind.ts';
import {
  leftoverText,
  type PreviewFacts,
  previewText,
  restoredText,
  rewindPreview,
} from '../../../../extension/vscode/rewind/rewind-preview.ts';
import { answered, said, tool } from '../../../support/panel/entries.ts';

const second = said('second', { at: 5 });
const command = { state: 'ended' as const };
const entries: readonly Entry[] = [
  said('first'),
  tool('read_file', { subject: 'a.ts' }),
  second,
  tool('run_shell_command', { id: 'c1', subject: 'npm install', command }),
  tool('run_shell_command', { id: 'c2', subject: 'npm install', command }),
  tool('run_shell_command', { id: 'c3', subject: 'rm -rf /', status: 'cancelled' }),
  answered('Done'),
  said('third'),
  said('not yet', { pending: 'queue' }),
];

const facts = (more: Partial<PreviewFacts> = {}): PreviewFacts => ({
  entries,
  steps: [],
  grants: [],
  isTrusted: true,
  nameOf: (path) => path.replace('/w/', ''),
  ...more,
});

const step = (more: object): RestoreStep =>
  ({
    path: '/w/a.ts',
    target: 'h',
    expected: 'g',
    holdsOthersEdits: false,
    kind: 'restore',
    current: 'g',
    ...more,
  }) as RestoreStep;

describe('What going back to a message would do', () => {
  it('counts the turns and calls that leave, and names the commands that ran', () => {
    const { turn, turns, calls, commands, at } = rewindPreview(second, facts());
    assert.deepEqual([turn, turns, calls, commands, at], [2, 3, 3, ['npm install'], 5]);
  });

  it('has each file with what becomes of it, and omits what is as it was', () => {
    const steps = [
      step({ lines: { added: 18, removed: 31 } }),
      step({ path: '/w/b.ts', kind: 'remove', target: null }),
      step({ path: '/w/c.ts', kind: 'done' }),
      step({ path: '/w/d.ts', kind: 'changed' }),
      step({ path: '/w/e.ts', kind: 'blocked', reason: 'It is a folder.' }),
    ];
    assert.deepEqual(rewindPreview(second, facts({ steps })).files, [
      { path: '/w/a.ts', label: 'a.ts', kind: 'restore', removes: false, lines: { added: 18, removed: 31 } },
      { path: '/w/b.ts', label: 'b.ts', kind: 'remove', removes: true },
      { path: '/w/d.ts', label: 'd.ts', kind: 'changed', removes: false },
      { path: '/w/e.ts', label: 'e.ts', kind: 'blocked', removes: false, reason: 'It is a folder.' },
    ]);
  });

  it('names what was allowed since, once, and says when files have to stay', () => {
    const grants = [
      { toolName: 'run_shell_command', commandPrefix: 'npm test', modes: [] },
      { toolName: 'run_shell_command', commandPrefix: 'npm test', modes: [] },
      { toolName: 'fetch', mcpName: 'web', modes: [] },
    ];
    const preview = rewindPreview(second, facts({ grants, isTrusted: false }));
    assert.deepEqual(preview.grants, ['npm test', 'web: fetch']);
    assert.match(preview.filesStay ?? '', /not trusted/);
  });
});

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
      'a.ts +2 −1, new.ts (will be deleted), ours.ts +1 −1 (edited since), image.png, ' +
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
      'Kept, because they were edited since: a. Could not be restored: b (It is a folder).',
    );
  });

  it('counts what is as it was', () => {
    assert.equal(restoredText([]), 'No file had to be restored.');
    assert.equal(restoredText([{ path: '/w/a', kind: 'removed' }]), '1 file was deleted.');
    assert.equal(restoredText([{ path: '/w/a', kind: 'restored' }]), '1 file was restored.');
    assert.equal(
      restoredText([
        { path: '/w/a', kind: 'removed' },
        { path: '/w/b', kind: 'restored' },
      ]),
      '1 file was restored. 1 file was deleted.',
    );
  });
});

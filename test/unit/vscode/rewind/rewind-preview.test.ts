import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Entry } from '../../../../extension/protocol/transcript/transcript-entry.ts';
import type { RestoreStep } from '../../../../extension/sessions/files/file-rewind.ts';
import { type PreviewFacts, rewindPreview } from '../../../../extension/vscode/rewind/rewind-preview.ts';
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

  it('has each file with what becomes of it, and leaves out what is as it was', () => {
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

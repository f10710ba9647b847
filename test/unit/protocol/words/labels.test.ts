import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Attachment } from '../../../../extension/protocol/agent/attachment.ts';
import { distinctLabels, fileLabel } from '../../../../extension/protocol/words/labels.ts';

describe('The label of an attachment', () => {
  it('is the name of the file with its lines, and its folder when there are several', () => {
    assert.equal(fileLabel('src/auth.ts'), 'auth.ts');
    assert.equal(fileLabel('src/auth.ts', { startLine: 10, endLine: 20 }), 'auth.ts:10-20');
    assert.equal(fileLabel('src/auth.ts', { startLine: 10, endLine: 10 }, 'api'), 'auth.ts:10 · api');
  });

  it('has the path when two would read the same', () => {
    const file = (path: string, more: Partial<Attachment> = {}): Attachment => ({
      id: path,
      kind: 'file',
      label: 'index.ts',
      path,
      ...more,
    });
    const labels = distinctLabels([
      file('a/index.ts'),
      file('b/index.ts', { startLine: 1, endLine: 2 }),
      file('c/main.ts', { label: 'main.ts' }),
    ]).map(({ label }) => label);
    assert.deepEqual(labels, ['a/index.ts', 'b/index.ts:1-2', 'main.ts']);
  });
});

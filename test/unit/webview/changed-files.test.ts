import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ReviewEntry } from '../../../extension/protocol/panel/panel-messages.ts';
import { countsOf, iconOf, stateWord, totals } from '../../../webview/shelf/changed-files-words.ts';

const entry = (changes: Partial<ReviewEntry> = {}): ReviewEntry => ({
  id: 'applied:/a.ts',
  label: 'a.ts',
  style: 'applied',
  isNew: false,
  added: 2,
  removed: 1,
  ...changes,
});

describe('The changed files on the shelf', () => {
  it('are counted together', () => {
    assert.deepEqual(totals([entry()]), { files: '1 file', added: 2, removed: 1 });
    assert.deepEqual(totals([entry(), entry({ label: 'b.ts', added: 0, removed: 4 })]), {
      files: '2 files',
      added: 2,
      removed: 5,
    });
  });

  it('have signs for what there is, and words for who cannot see them', () => {
    assert.deepEqual(countsOf(3, 2), { plus: '+3', minus: '−2', spoken: '3 added, 2 removed' });
    assert.deepEqual(countsOf(0, 2), { plus: '', minus: '−2', spoken: '0 added, 2 removed' });
    assert.deepEqual(countsOf(0, 0), { plus: '+0', minus: '', spoken: '0 added, 0 removed' });
  });

  it('say in a word what is unusual about one', () => {
    assert.equal(stateWord(entry()), undefined);
    assert.equal(stateWord(entry({ style: 'proposed' })), 'not written yet');
    assert.equal(stateWord(entry({ style: 'proposed', conflict: 'It moved.' })), 'conflict');
    assert.deepEqual([entry(), entry({ isNew: true }), entry({ isNew: true, conflict: 'It moved.' })].map(iconOf), [
      'file-code',
      'new-file',
      'warning',
    ]);
  });
});

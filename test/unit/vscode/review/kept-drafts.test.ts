import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { KeptDrafts } from '../../../../extension/vscode/review/kept-drafts.ts';
import { testHost } from '../../../support/test-host.ts';

const EDIT = { before: 'one\n', after: 'two\n' };
const NOTHING = { remarks: [] };

describe('What was made of a proposal', () => {
  function drafts(): { readonly kept: KeptDrafts; readonly state: Map<string, unknown> } {
    const state = new Map<string, unknown>();
    const memory = {
      get: (key: string) => state.get(key),
      // As VS Code keeps it.
      update: async (key: string, value: unknown) =>
        void (value === undefined ? state.delete(key) : state.set(key, JSON.parse(JSON.stringify(value)))),
    };
    return { kept: new KeptDrafts(memory, testHost().log), state };
  }

  it('comes back with its verdict and the places that were accepted', () => {
    const { kept } = drafts();
    const draft = {
      text: 'mine\n',
      remarks: [{ start: 0, end: 0, text: 'Why?' }],
      verdict: 'rejected',
      settled: 'x',
    } as const;
    kept.keep('a', EDIT, draft);
    assert.deepEqual(kept.of('a', EDIT), draft);
    assert.equal(kept.of('b', EDIT), undefined);
  });

  it('is not for another proposal, and a verdict is not for another file', () => {
    const { kept } = drafts();
    kept.keep('a', EDIT, { ...NOTHING, text: 'mine\n', verdict: 'accepted', settled: 'x' });
    assert.equal(kept.of('a', { ...EDIT, after: 'three\n' }), undefined);
    assert.deepEqual(kept.of('a', { ...EDIT, before: 'changed\n' }), { ...NOTHING, text: 'mine\n' });
    kept.keep('new', { before: null, after: 'x' }, { ...NOTHING, verdict: 'accepted' });
    assert.equal(kept.of('new', { before: 'null', after: 'x' })?.verdict, undefined);
  });

  it('takes no room when there is nothing to keep', () => {
    const { kept, state } = drafts();
    kept.keep('a', EDIT, NOTHING);
    assert.equal(state.size, 0);
    kept.keep('a', EDIT, { ...NOTHING, text: 'mine\n' });
    assert.equal(state.size, 1);
    kept.keep('a', EDIT, NOTHING);
    assert.equal(state.size, 0);
    kept.keep('a', EDIT, { ...NOTHING, verdict: 'rejected' });
    kept.forget(['a']);
    assert.equal(state.size, 0);
  });

  it('stays a no when its text is too long to keep, and does not become the approval of another text', () => {
    const { kept } = drafts();
    const text = 'x'.repeat(500_001);
    kept.keep('a', EDIT, { ...NOTHING, text, verdict: 'rejected' });
    assert.equal(kept.of('a', EDIT)?.verdict, 'rejected');
    kept.keep('a', EDIT, { ...NOTHING, text, verdict: 'accepted' });
    assert.equal(kept.of('a', EDIT), undefined);
  });

  it('is read from what another version may have stored', () => {
    const { kept, state } = drafts();
    for (const value of [
      'text',
      [1],
      [{ id: 'a' }],
      [{ id: 'a', proposed: '', before: '', remarks: [], verdict: 'yes' }],
    ]) {
      state.set('gantry.proposalDrafts', value);
      assert.equal(kept.of('a', EDIT), undefined);
    }
  });
});

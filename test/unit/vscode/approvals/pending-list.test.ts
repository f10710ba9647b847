import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PendingList } from '../../../../extension/vscode/approvals/pending-list.ts';
import { toolEntry } from './pending.ts';

describe('The questions that wait', () => {
  const ids = (list: PendingList): string[] => list.items.map(({ approval }) => approval.requestId);

  it('come and go with the entries that ask', () => {
    const list = new PendingList();
    assert.equal(list.apply([{ op: 'put', entry: toolEntry('a') }]), false);
    assert.equal(
      list.apply([
        { op: 'put', entry: toolEntry('a', 'r1') },
        { op: 'put', entry: toolEntry('b', 'r2') },
      ]),
      true,
    );
    assert.deepEqual(ids(list), ['r1', 'r2']);
    assert.equal(list.apply([{ op: 'append', id: 'a', text: 'x' }]), false);
    assert.equal(list.apply([{ op: 'put', entry: toolEntry('a', 'r1') }]), false);
    assert.equal(list.apply([{ op: 'put', entry: toolEntry('a') }]), true);
    assert.equal(list.apply([{ op: 'remove', ids: ['b', 'c'] }]), true);
    assert.deepEqual(ids(list), []);
  });

  it('are reported again when a call asks something else', () => {
    const list = new PendingList();
    list.apply([{ op: 'put', entry: toolEntry('a', 'r1') }]);
    assert.equal(list.apply([{ op: 'put', entry: toolEntry('a', 'r2') }]), true);
    assert.deepEqual(ids(list), ['r2']);
  });

  it('are those of the other conversation when another is shown', () => {
    const list = new PendingList();
    assert.equal(list.reset([toolEntry('a', 'r1'), toolEntry('b')]), true);
    assert.equal(list.reset([toolEntry('a', 'r1')]), false);
    assert.equal(list.reset([]), true);
  });
});

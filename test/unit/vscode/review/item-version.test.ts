import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isOtherVersion, itemId } from '../../../../extension/vscode/review/item-version.ts';

describe('The id of a change on a list', () => {
  it('tells another text of the same file from the same text and from another file', () => {
    const id = itemId('call:/home/me@work/a.ts', 'one');
    assert.equal(isOtherVersion(id, itemId('call:/home/me@work/a.ts', 'two')), true);
    assert.equal(isOtherVersion(id, itemId('call:/home/me@work/a.ts', 'one')), false);
    assert.equal(isOtherVersion(id, itemId('call:/home/me@home/a.ts', 'two')), false);
  });
});

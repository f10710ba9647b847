import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { changedLines } from '../../../../extension/sessions/files/file-rewind.ts';
import { bytesOf } from '../../../support/session-files.ts';

describe('changed lines', () => {
  const counted: readonly [title: string, from: string | undefined, to: string | undefined, counts: string][] = [
    ['the same', 'a\nb\n', 'a\nb\n', '+0 −0'],
    ['an added line', 'a\n', 'a\nb\n', '+1 −0'],
    ['a removed line', 'a\nb\n', 'b\n', '+0 −1'],
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', '+1 −1'],
    ['a line that is there more often', 'a\na\n', 'a\na\na\n', '+1 −0'],
    ['a line that moved', 'a\nb\n', 'b\na\n', '+0 −0'],
    ['a new file', undefined, 'a\nb', '+2 −0'],
    ['a removed file', 'a\nb\n', undefined, '+0 −2'],
    ['an empty file', '', undefined, '+0 −0'],
    ['a missing line end', 'a\nb\n', 'a\nb', '+1 −1'],
    ['other line ends', 'a\nb\n', 'a\r\nb\r\n', '+2 −2'],
  ];
  for (const [title, from, to, counts] of counted) {
    it(`count ${title} as ${counts}`, () => {
      const lines = changedLines(bytesOf(from), bytesOf(to));
      assert.equal(`+${lines?.added} −${lines?.removed}`, counts);
    });
  }

  it('are not counted in binary or large files', () => {
    const large = Buffer.alloc(1024 * 1024 + 1, 'a\n');
    for (const content of [Buffer.from([0, 1, 2]), large]) {
      assert.equal(changedLines(content, bytesOf('a\n')), undefined);
      assert.equal(changedLines(undefined, content), undefined);
    }
    assert.ok(changedLines(large.subarray(1), undefined));
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { EndMark } from '../../../../extension/processes/shell/session-leader.ts';

describe('The mark at the end of the output', () => {
  it('is found however the output is cut, and nothing else is touched', () => {
    const raw = 'a\x1b[31mb\x1b]9999;other;1\x07c\x1b]9999;m\x1b]9999;mine;137\x07late';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
        const mark = new EndMark('mine');
        let [text, exitCode]: [string, number | undefined] = ['', undefined];
        for (let at = 0, turn = 0; at < raw.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          const piece = mark.push(raw.slice(at, at + size));
          text += piece.text;
          exitCode ??= piece.exitCode;
          at += size;
        }
        assert.equal(text, 'a\x1b[31mb\x1b]9999;other;1\x07c\x1b]9999;mlate');
        assert.equal(exitCode, 137);
      }),
    );
  });
});
